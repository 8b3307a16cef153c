import { SOCIAL_PROVIDERS } from "@social-connect/contract";
import {
  describeProviderSetup,
  type ProviderSetup as ProviderSetupShape,
} from "../../modules/registrations/describeProviderSetup.ts";
import type { Service } from "../../modules/service.ts";
import { builder } from "./builder.ts";
import { SocialProvider } from "./enums.ts";
import { CapabilityScopes, ProviderAddresses, scopesByCapability } from "./registrationDetail.ts";

const DeploymentMode = builder.enumType("DeploymentMode", {
  description: "Who can connect.",
  values: {
    SANDBOX: { value: "sandbox", description: "Only tester accounts can connect." },
    LIVE: { value: "live", description: "Any account can connect." },
  } as const,
});

const ProviderSetup = builder.objectRef<ProviderSetupShape>("ProviderSetup").implement({
  description: "What an admin needs to register the service at a provider.",
  fields: (t) => ({
    provider: t.expose("provider", { type: SocialProvider }),
    publicApiName: t.string({
      description: "The public API that the service calls.",
      resolve: ({ publicApi }) => publicApi.name,
    }),
    publicAddresses: t.field({
      type: ProviderAddresses,
      description: "The URLs of that API. A proxy or a simulator has different URLs.",
      resolve: ({ publicApi }) => publicApi.addresses,
    }),
    publicScopes: t.field({
      type: [CapabilityScopes],
      description: "The scopes of that API.",
      resolve: ({ publicApi }) => scopesByCapability(publicApi.scopes),
    }),
    redirectUri: t.exposeString("redirectUri", { description: "The redirect URI to register at the provider." }),
    deauthorizationUrl: t.exposeString("deauthorizationUrl", {
      nullable: true,
      description: "Where the provider reports that a user removed the app; null when it does not.",
    }),
    webhookUrl: t.exposeString("webhookUrl", {
      nullable: true,
      description: "Where the provider sends webhooks; null when it sends none.",
    }),
    dataDeletionUrl: t.exposeString("dataDeletionUrl", {
      nullable: true,
      description: "Where the provider asks for the deletion of a user's data; null when it does not.",
    }),
    canRevoke: t.exposeBoolean("canRevoke", { description: "Whether the provider has a revocation endpoint." }),
  }),
});

const Deployment = builder.objectRef<Service>("Deployment").implement({
  description: "The URLs and provider settings of this deployment.",
  fields: (t) => ({
    mode: t.expose("mode", { type: DeploymentMode }),
    baseUrl: t.exposeString("connectHost", { description: "The base URL of the consumer API." }),
    adminHost: t.exposeString("adminHost", { description: "The base URL of the admin API and the panel." }),
    providers: t.field({
      type: [ProviderSetup],
      resolve: (service) => SOCIAL_PROVIDERS.map((provider) => describeProviderSetup(service, provider)),
    }),
  }),
});

builder.queryField("deployment", (t) =>
  t.field({
    type: Deployment,
    description: "The URLs and provider settings of this deployment.",
    resolve: (_root, _args, { service }) => service,
  }),
);
