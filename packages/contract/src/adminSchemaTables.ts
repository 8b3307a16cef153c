/**
 * The admin API as the service description's table of operations gives it, with the types that this project decided for
 * what the description leaves open; typed in by hand. It must not be generated from the schema: it is what the schema is
 * held against. A type is written as in SDL, `!` for non-null.
 */
import type { AdminOperationClass } from "./enums.ts";

type Fields = Readonly<Record<string, string>>;

export const ADMIN_ENUMERATIONS: Readonly<Record<string, readonly string[]>> = {
  SocialProvider: ["PROVIDER_A", "PROVIDER_B", "PROVIDER_C"],
  Capability: ["PROFILE", "CONTENT_LIST", "CONTENT_LOOKUP", "CONTENT_METRICS"],
  ApiKeyScope: ["READ", "WRITE"],
  RegistrationStatus: ["DRAFT", "PUBLISHED", "PAUSED", "DISABLED"],
};

export const ADMIN_INPUT_TYPES: Readonly<Record<string, Fields>> = {
  CreateClientInput: {
    slug: "String!",
    displayName: "String!",
    webOrigins: "[String!]!",
    returnUrls: "[String!]!",
    tenantKeys: "[String!]!",
    providers: "[SocialProvider!]!",
    capabilities: "[Capability!]!",
    confirmedNoOnwardRedirect: "Boolean!",
  },
};

const page = (item: string): Fields => ({ items: `[${item}!]!`, pageInfo: "PageInfo!" });

export const ADMIN_OUTPUT_TYPES: Readonly<Record<string, Fields>> = {
  AdminClient: {
    id: "ID!",
    slug: "String!",
    displayName: "String!",
    enabled: "Boolean!",
    webOrigins: "[String!]!",
    returnUrls: "[String!]!",
    identityReturnUrls: "[String!]!",
    providers: "[SocialProvider!]!",
    capabilities: "[Capability!]!",
    tenantKeys: "[String!]!",
    previewOriginsEnabled: "Boolean!",
    previewReturnPaths: "[String!]!",
    idpIdentityEnabled: "Boolean!",
    createdAt: "DateTime!",
    updatedAt: "DateTime!",
  },
  AdminClientPage: page("AdminClient"),
  AuditEntry: {
    id: "ID!",
    at: "DateTime!",
    actor: "String!",
    apiKeyId: "ID",
    action: "String!",
    targetType: "String!",
    targetId: "ID!",
    clientSlug: "String",
    summary: "String!",
  },
  AuditEntryPage: page("AuditEntry"),
  AdminMember: { id: "ID!", email: "String!", bound: "Boolean!", addedAt: "DateTime!", addedBy: "String!" },
  AdminRegistration: {
    id: "ID!",
    provider: "SocialProvider!",
    status: "RegistrationStatus!",
    clientIdHint: "String!",
    capabilities: "[Capability!]!",
    /** null: it serves all. */
    applications: "[String!]",
    updatedAt: "DateTime!",
  },
  AdminProviderAvailability: { provider: "SocialProvider!", available: "Boolean!", reason: "String" },
  PreviewTemplate: { template: "String" },
  ApiKey: {
    id: "ID!",
    label: "String!",
    scope: "ApiKeyScope!",
    createdBy: "String!",
    createdAt: "DateTime!",
    expiresAt: "DateTime!",
    lastUsedAt: "DateTime",
    revokedAt: "DateTime",
  },
  ApiKeyPage: page("ApiKey"),
  ClientCredential: {
    keyId: "ID!",
    createdAt: "DateTime!",
    expiresAt: "DateTime",
    lastUsedAt: "DateTime",
    revokedAt: "DateTime",
  },
  PageInfo: { endCursor: "String", hasNextPage: "Boolean!" },
};

/** What an operation returns, its arguments, and what may call it. */
export interface AdminOperationTable {
  readonly access: AdminOperationClass;
  readonly returns: string;
  readonly args: Fields;
}

const PAGED = { first: "Int", after: "String" };
const ID = { id: "ID!" };
const read = (returns: string, args: Fields = {}): AdminOperationTable => ({ access: "READ", returns, args });
const write = (args: Fields): AdminOperationTable => ({ access: "WRITE", returns: "AdminClient", args });
const panel = (returns: string, args: Fields): AdminOperationTable => ({ access: "PANEL", returns, args });

export const ADMIN_QUERIES: Readonly<Record<string, AdminOperationTable>> = {
  previewTemplate: read("PreviewTemplate"),
  adminMembers: read("[AdminMember!]"),
  adminAuditEntries: read("AuditEntryPage", { ...PAGED, apiKeyId: "ID" }),
  adminClients: read("AdminClientPage", PAGED),
  adminClient: read("AdminClient", ID),
  adminProviderAvailability: read("[AdminProviderAvailability!]"),
  adminRegistrations: read("[AdminRegistration!]"),
  apiKeys: panel("ApiKeyPage", PAGED),
};

export const ADMIN_MUTATIONS: Readonly<Record<string, AdminOperationTable>> = {
  createClient: write({ input: "CreateClientInput!" }),
  setClientEnabled: write({ ...ID, enabled: "Boolean!" }),
  setClientDisplayName: write({ ...ID, displayName: "String!" }),
  setClientPolicy: write({ ...ID, providers: "[SocialProvider!]!", capabilities: "[Capability!]!" }),
  addClientTenantKey: write({ ...ID, tenantKey: "String!" }),
  removeClientTenantKey: write({ ...ID, tenantKey: "String!" }),
  addClientOrigin: write({ ...ID, origin: "String!" }),
  removeClientOrigin: write({ ...ID, origin: "String!" }),
  addClientReturnUrl: write({ ...ID, url: "String!", confirmedNoOnwardRedirect: "Boolean!" }),
  removeClientReturnUrl: write({ ...ID, url: "String!" }),
  setClientPreviewOrigins: write({ ...ID, enabled: "Boolean!" }),
  addClientPreviewReturnPath: write({ ...ID, path: "String!" }),
  removeClientPreviewReturnPath: write({ ...ID, path: "String!" }),
  mintApiKey: panel("MintApiKeyResult", { label: "String!", scope: "ApiKeyScope!", lifetimeDays: "Int!" }),
  revokeApiKey: panel("RevokeApiKeyResult", ID),
  addAdminMember: panel("AddAdminMemberResult", { email: "String!" }),
  removeAdminMember: panel("RemoveAdminMemberResult", ID),
  issueClientCredential: panel("IssueClientCredentialResult", { ...ID, expiresInDays: "Int" }),
  revokeClientCredential: panel("RevokeClientCredentialResult", { ...ID, keyId: "ID!" }),
  publishRegistration: panel("PublishRegistrationResult", ID),
  disableRegistration: panel("DisableRegistrationResult", ID),
  setClientIdpIdentity: panel("SetClientIdpIdentityResult", { ...ID, enabled: "Boolean!", returnUrls: "[String!]" }),
};

/** Operations of the panel that the description does not name; a key gets PANEL_ONLY for them, as for the others. */
export const PANEL_OWN_OPERATIONS: readonly string[] = [
  "searchClients",
  "clientCredentials",
  "clientTesters",
  "searchAuditEntries",
  "auditEntry",
  "auditActions",
  "registrationDetail",
  "serviceOverview",
  "deployment",
  "apiKeyDetail",
  "activeApiKeysOf",
  "addClientTester",
  "removeClientTester",
  "createRegistration",
  "updateRegistration",
  "pauseRegistration",
];
