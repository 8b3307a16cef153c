/**
 * The consumer API as parts 2 and 4 of the service description state it. Typed independently of the schema and of
 * `@social-connect/contract`, because tests compare both with it. Types are written as in SDL, `!` for non-null.
 * Descriptions, deprecations and order are not part of it.
 */
import { PROVIDERS } from "./providers.ts";

type Fields = Readonly<Record<string, string>>;

export const SCALARS: readonly string[] = ["DateTime", "DecimalCount"];

export const ENUMERATIONS: Readonly<Record<string, readonly string[]>> = {
  SocialProvider: PROVIDERS,
  Capability: ["PROFILE", "CONTENT_LIST", "CONTENT_LOOKUP", "CONTENT_METRICS"],
  Availability: ["AVAILABLE", "UNSUPPORTED", "NOT_GRANTED", "UNAVAILABLE"],
  MetricName: ["VIEWS", "LIKES", "COMMENTS", "SHARES"],
  ContentKind: ["VIDEO", "IMAGE", "CAROUSEL", "UNKNOWN"],
  ConnectCreatorAction: ["REMOVE_APP_AT_PROVIDER"],
  ConnectSessionStatus: [
    "CREATED",
    "AUTHORIZING",
    "EXCHANGING",
    "COMPLETED",
    "DENIED",
    "FAILED",
    "EXPIRED",
    "CANCELED",
  ],
  ConnectionStatus: ["CONNECTED", "SUSPENDED", "RECONNECT_REQUIRED", "DISCONNECTED", "DELETING"],
  SyncStatus: ["PENDING", "RUNNING", "READY", "PARTIAL", "STALE", "FAILED"],
  JobStatus: ["QUEUED", "RUNNING", "SUCCEEDED", "FAILED", "CANCELED"],
  IdpIdentityStatus: ["PENDING", "COMPLETED", "DENIED", "FAILED", "EXPIRED"],
};

export const INPUT_TYPES: Readonly<Record<string, Fields>> = {
  SubjectScope: { tenantKey: "String!", externalSubjectId: "String!" },
  ConnectInput: {
    scope: "SubjectScope!",
    provider: "SocialProvider!",
    capabilities: "[Capability!]!",
    returnUrl: "String!",
    reconnectConnectionId: "ID",
  },
  IdpIdentityInput: { tenantKey: "String!", returnUrl: "String!" },
  SyncWindow: { publishedAfter: "DateTime!", publishedBefore: "DateTime!", maxItems: "Int" },
  ContentWindow: { publishedAfter: "DateTime!", publishedBefore: "DateTime!", first: "Int!", after: "String" },
};

export const OUTPUT_TYPES: Readonly<Record<string, Fields>> = {
  ApiStatus: { ok: "Boolean!", message: "String!" },
  IntegrationReadiness: { providers: "[ProviderReadiness!]!", idpIdentityAvailable: "Boolean!" },
  ProviderReadiness: { provider: "String!", available: "Boolean!" },
  ConnectSession: {
    id: "ID!",
    launchUrl: "String!",
    launchToken: "String!",
    expiresAt: "DateTime!",
    resultExpiresAt: "DateTime!",
  },
  ConnectSessionResult: {
    id: "ID!",
    provider: "SocialProvider!",
    status: "ConnectSessionStatus!",
    resultCode: "String",
    connectionId: "ID",
    creatorAction: "ConnectCreatorAction",
    expiresAt: "DateTime!",
    resultExpiresAt: "DateTime!",
  },
  Connection: {
    id: "ID!",
    provider: "SocialProvider!",
    providerAccountId: "String!",
    status: "ConnectionStatus!",
    syncStatus: "SyncStatus!",
    capabilities: "[CapabilityState!]!",
    profile: "Profile",
    lastSuccessfulSyncAt: "DateTime",
    nextRetryAt: "DateTime",
  },
  CapabilityState: { capability: "Capability!", availability: "Availability!", reason: "String" },
  Profile: {
    providerAccountId: "String!",
    displayName: "String",
    handle: "String",
    avatarUrl: "String",
    profileUrl: "String",
    description: "String",
    observedAt: "DateTime!",
  },
  ContentItem: {
    id: "ID!",
    providerContentId: "String!",
    provider: "SocialProvider!",
    kind: "ContentKind!",
    canonicalUrl: "String",
    thumbnailUrl: "String",
    title: "String",
    description: "String",
    publishedAt: "DateTime",
    availability: "Availability!",
    reason: "String",
    observedAt: "DateTime!",
    metrics: "[MetricObservation!]!",
  },
  MetricObservation: {
    name: "MetricName!",
    value: "DecimalCount",
    availability: "Availability!",
    reason: "String",
    sourceField: "String",
    observedAt: "DateTime!",
  },
  ContentPage: { items: "[ContentItem!]!", pageInfo: "PageInfo!", lastSuccessfulSyncAt: "DateTime" },
  PageInfo: {
    endCursor: "String",
    hasNextPage: "Boolean!",
    completeForWindow: "Boolean!",
    incompleteReason: "String",
  },
  ConnectionPage: { items: "[Connection!]!", pageInfo: "ConnectionPageInfo!" },
  ConnectionPageInfo: { endCursor: "String", hasNextPage: "Boolean!" },
  SyncJob: {
    id: "ID!",
    status: "JobStatus!",
    nextRetryAt: "DateTime",
    errorCode: "String",
    creatorAction: "ConnectCreatorAction",
    resultProviderContentId: "String",
    completeForWindow: "Boolean",
    incompleteReason: "String",
    continuationCursor: "String",
  },
  DisconnectResult: {
    accepted: "Boolean!",
    connectionId: "ID!",
    upstreamRevocationPending: "Boolean!",
    revokeJobId: "ID!",
    eraseJobId: "ID!",
    creatorAction: "ConnectCreatorAction",
  },
  IdpIdentitySession: {
    id: "ID!",
    launchUrl: "String!",
    launchToken: "String!",
    resultProof: "String!",
    expiresAt: "DateTime!",
    resultExpiresAt: "DateTime!",
  },
  IdpIdentityResult: {
    status: "IdpIdentityStatus!",
    issuer: "String",
    idpSub: "String",
    email: "String",
    emailVerified: "Boolean",
    name: "String",
    pictureUrl: "String",
  },
};

/** The fields of a post that are null once it expired, when `reason` is EXPIRED. */
export const CONTENT_FIELDS: readonly string[] = Object.entries(OUTPUT_TYPES.ContentItem ?? {}).flatMap(
  ([name, type]) => (type.endsWith("!") || name === "reason" ? [] : [name]),
);

/** Every field of a type, each once, as a selection. */
export function selectionOf(type: string): string {
  const fields = Object.entries(OUTPUT_TYPES[type.replace(/[^\w]/g, "")] ?? {});
  return fields.length === 0 ? "" : `{ ${fields.map(([name, of]) => `${name} ${selectionOf(of)}`).join(" ")} }`;
}

/** What an operation returns, and its arguments. */
export interface OperationTable {
  readonly returns: string;
  readonly args: Fields;
}

/**
 * Defaults are resolved by the service and not part of the schema: where the description names one (`first` 20, the scan
 * window), the argument is nullable.
 */
export const QUERIES: Readonly<Record<string, OperationTable>> = {
  status: { returns: "ApiStatus!", args: {} },
  integrationReadiness: { returns: "IntegrationReadiness!", args: {} },
  connectSessionResult: { returns: "ConnectSessionResult!", args: { scope: "SubjectScope!", id: "ID!" } },
  connection: { returns: "Connection!", args: { scope: "SubjectScope!", id: "ID!" } },
  connections: { returns: "ConnectionPage!", args: { scope: "SubjectScope!", first: "Int", after: "String" } },
  content: {
    returns: "ContentPage!",
    args: { scope: "SubjectScope!", connectionId: "ID!", window: "ContentWindow!" },
  },
  contentItem: {
    returns: "ContentItem",
    args: { scope: "SubjectScope!", connectionId: "ID!", providerContentId: "String!" },
  },
  syncJob: { returns: "SyncJob!", args: { scope: "SubjectScope!", connectionId: "ID!", id: "ID!" } },
};

export const MUTATIONS: Readonly<Record<string, OperationTable>> = {
  createConnectSession: { returns: "ConnectSession!", args: { input: "ConnectInput!" } },
  disconnectConnection: { returns: "DisconnectResult!", args: { scope: "SubjectScope!", connectionId: "ID!" } },
  requestRefresh: {
    returns: "SyncJob!",
    args: {
      scope: "SubjectScope!",
      connectionId: "ID!",
      providerContentId: "String",
      window: "SyncWindow",
      continuationCursor: "String",
    },
  },
  requestContentLookup: {
    returns: "SyncJob!",
    args: { scope: "SubjectScope!", connectionId: "ID!", url: "String!" },
  },
  createIdpIdentitySession: { returns: "IdpIdentitySession!", args: { input: "IdpIdentityInput!" } },
  redeemIdpIdentityResult: {
    returns: "IdpIdentityResult!",
    args: { id: "ID!", tenantKey: "String!", resultProof: "String!" },
  },
};
