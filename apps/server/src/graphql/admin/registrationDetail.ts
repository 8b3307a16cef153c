import { CAPABILITIES } from "@social-connect/contract";
import { readQuotaUse } from "../../modules/quota/readQuotaUse.ts";
import {
  countConnectionsOf,
  quotasOf,
  readAddresses,
  readScopes,
} from "../../modules/registrations/registrationParts.ts";
import { builder } from "./builder.ts";
import { AdminClient } from "./clients.ts";
import { Capability, RegistrationStatus, SocialProvider } from "./enums.ts";
import { ProviderQuota, QuotaOverride, QuotaUse } from "./registrationQuota.ts";

type Addresses = ReturnType<typeof readAddresses>;

export const ProviderAddresses = builder.objectRef<Addresses>("ProviderAddresses").implement({
  description: "The URLs of a provider's endpoints.",
  fields: (t) => ({
    authorization: t.exposeString("authorization", { description: "The URL of the consent page." }),
    token: t.exposeString("token", { description: "The URL of the token endpoint." }),
    revocation: t.string({
      nullable: true,
      description: "The URL of the revocation endpoint; null when the provider has none.",
      resolve: ({ revocation }) => revocation ?? null,
    }),
    api: t.exposeString("api", { description: "The base URL of the API." }),
    issuer: t.string({
      nullable: true,
      description: "The expected `iss` in a callback (RFC 9207); the origin of the consent page when absent.",
      resolve: ({ issuer }) => issuer ?? null,
    }),
  }),
});

export const CapabilityScopes = builder
  .objectRef<{ readonly capability: (typeof CAPABILITIES)[number]; readonly scopes: readonly string[] }>(
    "CapabilityScopes",
  )
  .implement({
    description: "The provider's scopes that a capability needs.",
    fields: (t) => ({
      capability: t.expose("capability", { type: Capability }),
      scopes: t.stringList({ resolve: ({ scopes }) => [...scopes] }),
    }),
  });

export function scopesByCapability(scopes: ReturnType<typeof readScopes>) {
  return CAPABILITIES.map((capability) => ({ capability, scopes: scopes[capability] ?? [] }));
}

/** The same for every field, so that one query reads them. */
const BY_SLUG = { orderBy: { application: { slug: "asc" } } } as const;
const QUOTA_COLUMNS = { provider: true, quota: true } as const;

export const RegistrationDetail = builder.prismaObject("ProviderRegistration", {
  variant: "RegistrationDetail",
  description: "A registration with everything but its secret.",
  select: { id: true },
  fields: (t) => ({
    id: t.exposeID("id"),
    provider: t.expose("provider", { type: SocialProvider }),
    status: t.expose("status", { type: RegistrationStatus }),
    clientId: t.exposeString("clientId"),
    addresses: t.field({
      type: ProviderAddresses,
      select: { addresses: true },
      resolve: (registration) => readAddresses(registration),
    }),
    scopes: t.field({
      type: [CapabilityScopes],
      select: { scopes: true },
      resolve: (registration) => scopesByCapability(readScopes(registration)),
    }),
    capabilities: t.expose("capabilities", { type: [Capability] }),
    clientIds: t.idList({
      nullable: true,
      description: "The ids of the clients that it serves; null when it serves all.",
      select: { allApplications: true, applications: { ...BY_SLUG, select: { applicationId: true } } },
      resolve: ({ allApplications, applications }) =>
        allApplications ? null : applications.map(({ applicationId }) => applicationId).toSorted(),
    }),
    clients: t.field({
      type: [AdminClient],
      nullable: true,
      description: "The clients that it serves, in the order of their slugs; null when it serves all.",
      select: (_args, _context, selectionOf) => ({
        allApplications: true,
        applications: { ...BY_SLUG, select: { application: selectionOf(true) } },
      }),
      resolve: ({ allApplications, applications }) =>
        allApplications ? null : applications.map(({ application }) => application),
    }),
    connectionCount: t.int({
      description: "The number of its connections in any status.",
      resolve: ({ id }, _args, { service }) => countConnectionsOf(service, id),
    }),
    quota: t.field({
      type: ProviderQuota,
      description: "The quota that applies: the registration's own, and the provider's default for the rest.",
      select: QUOTA_COLUMNS,
      resolve: (registration, _args, { service }) => quotasOf(service, registration).quota,
    }),
    defaultQuota: t.field({
      type: ProviderQuota,
      description: "The provider's default quota.",
      select: QUOTA_COLUMNS,
      resolve: (registration, _args, { service }) => quotasOf(service, registration).defaultQuota,
    }),
    quotaOverride: t.field({
      type: QuotaOverride,
      description: "The registration's own quota.",
      select: QUOTA_COLUMNS,
      resolve: (registration, _args, { service }) => quotasOf(service, registration).quotaOverride,
    }),
    quotaUse: t.field({
      type: [QuotaUse],
      description:
        "What clients used of each budget that they share, in the current window; empty before its first call, and if each account has its own budget.",
      select: { ...QUOTA_COLUMNS, allApplications: true },
      resolve: (registration, _args, { service }) => readQuotaUse(service, registration),
    }),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    updatedAt: t.expose("updatedAt", { type: "DateTime" }),
  }),
});

const ProviderAddressesInput = builder.inputType("ProviderAddressesInput", {
  description: "The URLs of a provider's endpoints, as in `ProviderAddresses`.",
  fields: (t) => ({
    authorization: t.string({ required: true }),
    token: t.string({ required: true }),
    revocation: t.string({ description: "Required when the provider has a revocation endpoint." }),
    api: t.string({ required: true }),
    issuer: t.string(),
  }),
});

const CapabilityScopesInput = builder.inputType("CapabilityScopesInput", {
  description: "The provider's scopes that a capability needs.",
  fields: (t) => ({
    capability: t.field({ type: Capability, required: true }),
    scopes: t.stringList({ required: true }),
  }),
});

export const RegistrationInput = builder.inputType("RegistrationInput", {
  description: "A new registration, or all values of an existing one.",
  fields: (t) => ({
    clientId: t.string({ required: true, description: "The service's client id at the provider." }),
    clientSecret: t.string({
      description:
        "Required for a new registration and when an address moves to another origin; absent leaves the stored secret.",
    }),
    addresses: t.field({ type: ProviderAddressesInput, required: true }),
    scopes: t.field({ type: [CapabilityScopesInput], required: true, description: "One entry per capability." }),
    capabilities: t.field({ type: [Capability], required: true, description: "At least one." }),
    clientIds: t.idList({ description: "The ids of the clients that it serves; absent: it serves all." }),
  }),
});
