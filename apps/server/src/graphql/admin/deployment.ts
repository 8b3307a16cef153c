import { SOCIAL_PROVIDERS } from "@social-connect/contract";
import type { ProviderSetup as ProviderSetupShape } from "../../modules/registrations/describeProviderSetup.ts";
import { describeProviderSetup } from "../../modules/registrations/describeProviderSetup.ts";
import type { Service } from "../../modules/service.ts";
import { builder } from "./builder.ts";
import { SocialProvider } from "./enums.ts";
import { CapabilityScopes, ProviderAddresses, scopesByCapability } from "./registrationDetail.ts";

const DeploymentMode = builder.enumType("DeploymentMode", {
  values: {
    SANDBOX: { value: "sandbox", description: "Only tester accounts can connect." },
    LIVE: { value: "live" },
  } as const,
});

const ProviderSetup = builder.objectRef<ProviderSetupShape>("ProviderSetup").implement({
  description: "What has to be known to register the service at a provider.",
  fields: (t) => ({
    provider: t.expose("provider", { type: SocialProvider }),
    publicApiName: t.string({
      description: "The public API whose wire profile is spoken.",
      resolve: ({ publicApi }) => publicApi.name,
    }),
    publicAddresses: t.field({
      type: ProviderAddresses,
      description: "Where that API is; a proxy or a simulator has others.",
      resolve: ({ publicApi }) => publicApi.addresses,
    }),
    publicScopes: t.field({
      type: [CapabilityScopes],
      resolve: ({ publicApi }) => scopesByCapability(publicApi.scopes),
    }),
    redirectUri: t.exposeString("redirectUri", { description: "The one redirect address to register there." }),
    deauthorizationUrl: t.exposeString("deauthorizationUrl", {
      nullable: true,
      description: "Where the provider tells that a person removed the app; null where it tells nobody.",
    }),
    canRevoke: t.exposeBoolean("canRevoke", { description: "It has a revocation address." }),
  }),
});

const Deployment = builder.objectRef<Service>("Deployment").implement({
  description: "How this deployment is reached, and how it is known elsewhere.",
  fields: (t) => ({
    mode: t.expose("mode", { type: DeploymentMode }),
    baseUrl: t.exposeString("connectHost", { description: "Base address of the consumer API." }),
    adminHost: t.exposeString("adminHost", { description: "Base address of the admin API and the panel." }),
    providers: t.field({
      type: [ProviderSetup],
      resolve: (service) => SOCIAL_PROVIDERS.map((provider) => describeProviderSetup(service, provider)),
    }),
  }),
});

builder.queryField("deployment", (t) =>
  t.field({
    type: Deployment,
    description: "How this deployment is reached, and how it is known elsewhere.",
    resolve: (_root, _args, { service }) => service,
  }),
);
