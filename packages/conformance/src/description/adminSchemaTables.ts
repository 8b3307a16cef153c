/**
 * The admin API as in the service description's table of operations, with this project's types where the description
 * has none. Typed independently of the schema and of `@social-connect/contract`, because tests compare both with it.
 * Types are written as in SDL, `!` for non-null.
 */
import { PROVIDERS } from "./providers.ts";

type Fields = Readonly<Record<string, string>>;
/** Who may call an operation: any API key, a WRITE key, or only the panel. */
export type AdminClass = "READ" | "WRITE" | "PANEL";

export const ADMIN_ENUMERATIONS: Readonly<Record<string, readonly string[]>> = {
  SocialProvider: PROVIDERS,
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

export const ADMIN_OUTPUT_TYPES = {
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
    logo: "String",
    brandColor: "String",
    supportAddress: "String",
    privacyUrl: "String",
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
  PreviewTemplate: { template: "String", allowsLoopbackHttp: "Boolean!" },
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
} as const satisfies Readonly<Record<string, Fields>>;

/** What an operation returns, its arguments, and what may call it. */
export interface AdminOperationTable {
  readonly access: AdminClass;
  readonly returns: string;
  readonly args: Fields;
}

const PAGED = { first: "Int", after: "String" };
const ID = { id: "ID!" };
const read = (returns: string, args: Fields = {}): AdminOperationTable => ({ access: "READ", returns, args });
const write = (args: Fields): AdminOperationTable => ({ access: "WRITE", returns: "AdminClient", args });
const panel = (returns: string, args: Fields): AdminOperationTable => ({ access: "PANEL", returns, args });

export const ADMIN_QUERIES = {
  previewTemplate: read("PreviewTemplate"),
  adminMembers: read("[AdminMember!]"),
  adminAuditEntries: read("AuditEntryPage", { ...PAGED, apiKeyId: "ID" }),
  adminClients: read("AdminClientPage", PAGED),
  adminClient: read("AdminClient", ID),
  adminProviderAvailability: read("[AdminProviderAvailability!]"),
  adminRegistrations: read("[AdminRegistration!]"),
  apiKeys: panel("ApiKeyPage", PAGED),
} satisfies Readonly<Record<string, AdminOperationTable>>;

export const ADMIN_MUTATIONS = {
  createClient: write({ input: "CreateClientInput!" }),
  setClientEnabled: write({ ...ID, enabled: "Boolean!" }),
  setClientDisplayName: write({ ...ID, displayName: "String!" }),
  setClientBranding: write({
    ...ID,
    logo: "String",
    brandColor: "String",
    supportAddress: "String",
    privacyUrl: "String",
  }),
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
} satisfies Readonly<Record<string, AdminOperationTable>>;

const DESCRIBED = { ...ADMIN_QUERIES, ...ADMIN_MUTATIONS };
export type DescribedOperation = keyof typeof DESCRIBED;
/** The operations of the description's table. The schema's other operations belong to the panel. */
export const DESCRIBED_OPERATIONS = Object.keys(DESCRIBED) as DescribedOperation[];

export function adminClassOf(name: DescribedOperation): AdminClass {
  return DESCRIBED[name].access;
}

/** The names of its required arguments. */
export function argumentsOf(name: DescribedOperation): string[] {
  return Object.entries(DESCRIBED[name].args).flatMap(([argument, type]) => (type.endsWith("!") ? [argument] : []));
}

/** Operations of the panel that the description does not name; an API key gets PANEL_ONLY for them as well. */
export const PANEL_OWN_OPERATIONS: readonly string[] = [
  "searchClients",
  "clientCredentials",
  "clientTesters",
  "searchAuditEntries",
  "auditEntry",
  "auditActions",
  "registrationDetail",
  "serviceOverview",
  "serviceActivity",
  "deployment",
  "apiKeyDetail",
  "activeApiKeysOf",
  "addClientTester",
  "removeClientTester",
  "createRegistration",
  "updateRegistration",
  "setRegistrationQuota",
  "pauseRegistration",
  "searchConnections",
  "searchConnectAttempts",
  "findByReference",
  "viewedConnection",
  "viewConnection",
  "rescanConnection",
  "retryJob",
  "disconnectForUser",
];

/** Operations that need a sign-in of at most five minutes ago. */
export const CONFIRMED_OPERATIONS = [
  "mintApiKey",
  "issueClientCredential",
  "publishRegistration",
  "addAdminMember",
  "removeAdminMember",
  "updateRegistration",
  "setRegistrationQuota",
  "setClientIdpIdentity",
  "viewConnection",
  "rescanConnection",
  "retryJob",
  "disconnectForUser",
] as const;
