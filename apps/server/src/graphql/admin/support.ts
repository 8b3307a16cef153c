import {
  accountHint,
  type CallKind,
  type CallRefusal,
  type CapabilityState,
  CONNECTION_GROUPINGS,
  type ConnectionGrouping as ConnectionGroupingName,
  type ConnectionOrder as ConnectionOrderName,
  type Explanation,
  inputSchema,
  type ShownCause,
  STORED_SYNC_STATUSES,
  SUPPORT_CAUSES,
  SUPPORT_EVENT_TYPES,
  type SupportEvent,
  shownCause,
  type UserMessage,
} from "@social-connect/domain";
import { measureDisconnect } from "../../modules/disconnect/disconnectConnection.ts";
import {
  type ConnectionCounts as ConnectionCountsShape,
  type ConnectionGroup as ConnectionGroupShape,
  countAllConnections,
} from "../../modules/support/countAllConnections.ts";
import {
  type ErasedConnection,
  findByReference,
  type Referenced,
  type ReferencedKey,
} from "../../modules/support/findByReference.ts";
import { openConnectionList } from "../../modules/support/openConnectionList.ts";
import type { SupportConnection as SupportConnectionShape } from "../../modules/support/readSupportConnection.ts";
import {
  LISTED_CONNECTION,
  type ListedAttempt,
  searchConnectAttempts,
  searchConnections,
} from "../../modules/support/searchConnections.ts";
import { disconnectForUser, rescanConnection, retryJob } from "../../modules/support/supportActions.ts";
import { readViewedConnection, viewConnection } from "../../modules/support/viewConnection.ts";
import { AVAILABILITY, enumOf, SYNC_STATUS } from "../shared/enumDescriptions.ts";
import { dateOrNull, orNull } from "../shared/fieldOptions.ts";
import { ApiKey } from "./apiKeys.ts";
import { builder } from "./builder.ts";
import { panelActorOf } from "./context.ts";
import { Capability, RegistrationStatus, SocialProvider } from "./enums.ts";
import { ConnectionStatus, ConnectSessionStatus, JobKind, JobStatus, WaitReason } from "./overview.ts";
import { PAGE_ARGUMENTS, pageType, shownRows } from "./paging.ts";
import { CONFIRMED_ERRORS } from "./panelErrors.ts";
import { TouchedCount, touchedCounts } from "./touched.ts";

const SyncStatus = builder.enumType("SyncStatus", SYNC_STATUS);
const StoredSyncStatus = builder.enumType("StoredSyncStatus", {
  description: "How the latest scan of a connection ended, or that none has ended yet.",
  values: STORED_SYNC_STATUSES,
});
const Availability = builder.enumType("Availability", AVAILABILITY);
const SupportCause = builder.enumType("SupportCause", {
  description: "Why the posts of a connection do not update, or that they do.",
  values: SUPPORT_CAUSES,
});
const SupportActor = builder.enumType("SupportActor", {
  description: "Who can resolve a cause.",
  values: ["USER", "ADMIN", "PROVIDER", "NOBODY"] as const,
});
const SupportEventType = builder.enumType("SupportEventType", {
  description: "What happened to a connection.",
  values: SUPPORT_EVENT_TYPES,
});

const ConnectionCause = builder.enumType("ConnectionCause", {
  description: "Why the posts of a connection are not read.",
  values: {
    AUTHORIZATION_REMOVED: { description: "The user removed the app at the provider." },
    GRANT_ENDED: { description: "The provider no longer accepts the consent." },
    ACCOUNT_UNREADABLE: { description: "The provider reports that the account cannot be read." },
    CALLS_REFUSED: { description: "The provider refuses calls for the account with a code that is not known." },
    CHECK_FAILED: { description: "The consent could not be checked after another account was disconnected." },
    PERMISSION_MISSING: { description: "The user did not grant the list of posts." },
    NOT_ALLOWED: { description: "The settings of the client or of the registration do not allow the read." },
    REGISTRATION_PAUSED: { description: "The registration is paused." },
    REGISTRATION_REFUSED: { description: "The provider refuses the registration's client, for most accounts." },
    PROVIDER_UNAVAILABLE: { description: "The provider does not respond, or not as it should." },
    RATE_LIMITED: { description: "The provider limits the calls." },
    QUOTA: { description: "Our call budget for the provider, or the client's share of it, is used up." },
    SERVICE_FAULT: { description: "The service, its settings or its machine has a fault." },
    SETTLING: { description: "The disconnect of another account has to settle." },
    BY_APPLICATION: { description: "The application disconnected the account." },
    AT_PROVIDER: { description: "The provider asked for the deletion of the user's data." },
    BY_OPERATOR: { description: "An admin disconnected the account or erased its user." },
    NOT_RECORDED: { description: "A reconnect is needed since before causes were stored." },
  } satisfies Record<ShownCause, object>,
});
const ConnectionOrder = builder.enumType("ConnectionOrder", {
  description: "A column by which connections are sorted.",
  values: {
    USER: { description: "The id of the user." },
    CLIENT: { description: "The slug of the client, then the tenant." },
    CAUSE: { description: "The cause, then since when. Connections without one come last." },
    SINCE: { description: "Since when the cause holds. Connections without one come last." },
  } satisfies Record<ConnectionOrderName, object>,
});
const ConnectionGrouping = builder.enumType("ConnectionGrouping", {
  description: "What connections are counted by.",
  values: CONNECTION_GROUPINGS satisfies readonly ConnectionGroupingName[],
});

const ListedConnectionRef = builder.prismaObject("Connection", {
  name: "SupportListedConnection",
  description: "A connection in a list. Each list that has it is in the audit log.",
  select: LISTED_CONNECTION,
  fields: (t) => ({
    id: t.exposeID("id"),
    clientId: t.id({ resolve: ({ application }) => application.id }),
    clientSlug: t.string({ resolve: ({ application }) => application.slug }),
    provider: t.expose("provider", { type: SocialProvider }),
    tenantKey: t.exposeString("tenantKey"),
    externalSubjectId: t.exposeString("externalSubjectId", { description: "The client's id of its user." }),
    accountHint: t.string({
      nullable: true,
      description: "The end of the provider's account id.",
      select: { providerAccountId: true },
      resolve: ({ providerAccountId }) => accountHint(providerAccountId),
    }),
    status: t.expose("status", { type: ConnectionStatus }),
    syncStatus: t.field({
      type: StoredSyncStatus,
      select: { syncStatus: true },
      resolve: ({ syncStatus }) => syncStatus as typeof StoredSyncStatus.$inferType,
    }),
    errorCode: t.exposeString("scanErrorCode", orNull("Why the latest scan failed; null unless FAILED.")),
    cause: t.field({
      type: ConnectionCause,
      nullable: true,
      description: "Why its posts are not read; null if nothing is known that keeps them from being read.",
      resolve: shownCause,
    }),
    causeSince: t.expose("causeSince", {
      type: "DateTime",
      nullable: true,
      description: "Since when it is the cause; null if that is not recorded.",
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When the account was linked first." }),
    lastSuccessfulSyncAt: t.expose("lastSuccessfulSyncAt", { type: "DateTime", nullable: true }),
  }),
});

const ListedAttemptRef = builder.objectRef<ListedAttempt>("SupportListedAttempt").implement({
  description: "A connect attempt that a search found. Attempts are stored for 24 hours.",
  fields: (t) => ({
    id: t.exposeID("id"),
    clientId: t.exposeID("clientId"),
    clientSlug: t.exposeString("clientSlug"),
    provider: t.expose("provider", { type: SocialProvider }),
    status: t.expose("status", { type: ConnectSessionStatus }),
    resultCode: t.exposeString("resultCode", orNull("Why it ended without a connection.")),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    connectionId: t.exposeID("connectionId", orNull("The connection that it made, or that it was to reconnect.")),
    accountHint: t.exposeString(
      "accountHint",
      orNull("The end of the account id of that connection. The account of another attempt is not stored."),
    ),
    userMessage: t.exposeString("userMessage", { description: "The message for the user." }),
    nextStep: t.exposeString("nextStep", { description: "What an admin can do." }),
  }),
});

const ListedConnectionPage = pageType("SupportConnectionPage", "A page of connections.", ListedConnectionRef);

const ConnectionGroup = builder.objectRef<ConnectionGroupShape>("ConnectionGroup").implement({
  description: "How many connections of a list have the same client, or the same cause.",
  fields: (t) => ({
    clientId: t.exposeID("clientId", orNull("The client; null if the list is counted by cause.")),
    clientSlug: t.exposeString("clientSlug", orNull("The client's slug; null if the list is counted by cause.")),
    cause: t.expose("cause", {
      type: ConnectionCause,
      nullable: true,
      description: "The cause; null for those without one, and if the list is counted by client.",
    }),
    count: t.exposeInt("count"),
  }),
});

const ConnectionCounts = builder.objectRef<ConnectionCountsShape>("ConnectionCounts").implement({
  description: "How many connections a list has, by client or by cause.",
  fields: (t) => ({
    count: t.exposeInt("count", { description: "All connections of the list." }),
    groupCount: t.exposeInt("groupCount", { description: "How many clients or causes they have." }),
    groups: t.field({
      type: [ConnectionGroup],
      description: "The largest first, at most 100.",
      resolve: ({ groups }) => [...groups],
    }),
  }),
});

const ListedAttemptPage = pageType("SupportAttemptPage", "A page of connect attempts, newest first.", ListedAttemptRef);

const ErasedConnectionRef = builder.objectRef<ErasedConnection>("SupportErasedConnection").implement({
  description: "An erased connection, of which the receipts are left.",
  fields: (t) => ({
    id: t.exposeID("id"),
    clientId: t.exposeID("clientId"),
    clientSlug: t.exposeString("clientSlug"),
  }),
});

const ApplicationKeyRef = builder.objectRef<ReferencedKey>("SupportApplicationKey").implement({
  description: "An application key, active or not, with its client.",
  fields: (t) => ({
    id: t.exposeID("id"),
    clientId: t.exposeID("clientId"),
    clientSlug: t.exposeString("clientSlug"),
  }),
});

const SupportReference = builder.objectRef<Referenced>("SupportReference").implement({
  description: "What an id refers to.",
  fields: (t) => ({
    connections: t.field({ type: [ListedConnectionRef], resolve: ({ connections }) => connections }),
    erased: t.field({ type: [ErasedConnectionRef], resolve: ({ erased }) => erased }),
    attempts: t.field({ type: [ListedAttemptRef], resolve: ({ attempts }) => attempts }),
    apiKeys: t.field({ type: [ApiKey], resolve: ({ apiKeys }) => [...apiKeys] }),
    applicationKeys: t.field({ type: [ApplicationKeyRef], resolve: ({ applicationKeys }) => applicationKeys }),
  }),
});

const SupportMessage = builder.objectRef<UserMessage>("SupportMessage").implement({
  description: "The message for the user in one language.",
  fields: (t) => ({
    language: t.exposeString("language", { description: "A language of the pages for users, for example `de`." }),
    text: t.exposeString("text"),
  }),
});

const SupportExplanation = builder.objectRef<Explanation>("SupportExplanation").implement({
  description: "Why the posts of a connection do not update, and the message for its user.",
  fields: (t) => ({
    cause: t.expose("cause", { type: SupportCause }),
    resolvedBy: t.expose("resolvedBy", { type: SupportActor }),
    userMessage: t.exposeString("userMessage", { description: "Plain sentences for the user, with times in UTC." }),
    messages: t.field({
      type: [SupportMessage],
      description: "The message for the user in each language of the pages for users.",
      resolve: ({ messages }) => [...messages],
    }),
    nextStep: t.exposeString("nextStep", { description: "What an admin can do." }),
    since: t.expose("since", dateOrNull("When it began or happened.")),
    nextTryAt: t.expose("nextTryAt", dateOrNull("When the service retries.")),
    jobId: t.exposeID("jobId", orNull("The job that shows it.")),
  }),
});

const SupportTimelineEvent = builder.objectRef<SupportEvent>("SupportEvent").implement({
  description: "Something that happened to a connection.",
  fields: (t) => ({
    type: t.expose("type", { type: SupportEventType }),
    at: t.expose("at", {
      type: "DateTime",
      description: "When a job ended or, while it is in flight, when it was created.",
    }),
    id: t.exposeID("id", orNull("The id of the job or of the connect attempt.")),
    jobKind: t.expose("jobKind", { type: JobKind, nullable: true }),
    jobStatus: t.expose("jobStatus", { type: JobStatus, nullable: true }),
    attemptStatus: t.expose("attemptStatus", { type: ConnectSessionStatus, nullable: true }),
    code: t.exposeString("code", orNull("Why it failed, or why a scan did not cover its window.")),
    waitReason: t.expose("waitReason", { type: WaitReason, nullable: true }),
    nextTryAt: t.expose("nextTryAt", { type: "DateTime", nullable: true }),
    count: t.exposeInt("count", orNull("Posts that a scan observed, or rows that an erasure deleted.")),
  }),
});

const SupportCapability = builder.objectRef<CapabilityState>("SupportCapability").implement({
  description: "A capability as the application sees it.",
  fields: (t) => ({
    capability: t.expose("capability", { type: Capability }),
    availability: t.expose("availability", { type: Availability }),
    reason: t.exposeString("reason", orNull("Why it is not available.")),
  }),
});

const RefusedCalls = builder.enumType(
  "RefusedCalls",
  enumOf<CallKind>("A kind of call at a provider.", {
    TOKEN: "The refresh of the access token.",
    ACCOUNT: "The read of the account.",
    LIST: "The list of posts.",
    METRICS: "The numbers of posts, and reads of one post.",
    LOOKUP: "Lookups of posts.",
  }),
);

const SupportRefusal = builder.objectRef<readonly [CallKind, CallRefusal]>("SupportRefusal").implement({
  description: "Calls of one kind that the provider refuses with a code that the service does not know.",
  fields: (t) => ({
    calls: t.field({ type: RefusedCalls, resolve: ([kind]) => kind }),
    code: t.string({ nullable: true, description: "The provider's code.", resolve: ([, { code }]) => code }),
    message: t.string({
      nullable: true,
      description: "The provider's message, at most 200 characters, without ids and tokens.",
      resolve: ([, { message }]) => message,
    }),
    since: t.field({ type: "DateTime", resolve: ([, { since }]) => new Date(since) }),
    lastAt: t.field({ type: "DateTime", resolve: ([, { lastAt }]) => new Date(lastAt) }),
    attempts: t.int({ description: "Those within an hour count once.", resolve: ([, { attempts }]) => attempts }),
    endedAt: t.field({
      type: "DateTime",
      nullable: true,
      description: "When the background reads that it concerns ended.",
      resolve: ([, { endedAt }]) => (endedAt === null ? null : new Date(endedAt)),
    }),
  }),
});

type StoredConnection = NonNullable<SupportConnectionShape["connection"]>;
type GrantShape = NonNullable<StoredConnection["grant"]>;

const SupportGrant = builder.objectRef<GrantShape>("SupportGrant").implement({
  description: "The state and the ages of a stored credential, never the credential.",
  fields: (t) => ({
    isActive: t.boolean({ resolve: ({ status }) => status === "ACTIVE" }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When the user consented." }),
    updatedAt: t.expose("updatedAt", { type: "DateTime", description: "When it was renewed or ended." }),
    accessTokenExpiresAt: t.expose("accessTokenExpiresAt", { type: "DateTime", nullable: true }),
    refreshTokenExpiresAt: t.expose("refreshTokenExpiresAt", { type: "DateTime", nullable: true }),
    renewals: t.int({ resolve: ({ version }) => version - 1 }),
  }),
});

const SupportPosts = builder.objectRef<readonly [string, number]>("SupportPosts").implement({
  description: "How many stored posts have the same availability.",
  fields: (t) => ({
    availability: t.field({
      type: Availability,
      resolve: ([availability]) => availability as typeof Availability.$inferType,
    }),
    count: t.int({ resolve: ([, count]) => count }),
  }),
});

/** A field that is null once the connection is erased. */
function stored<Name extends keyof StoredConnection>(name: Name) {
  return { nullable: true, resolve: ({ connection }: SupportConnectionShape) => connection?.[name] ?? null } as const;
}

const SupportConnection = builder.objectRef<SupportConnectionShape>("SupportConnection").implement({
  description: "States, codes, times and counts of a connection. Never a token, a name, a title or a text.",
  fields: (t) => ({
    id: t.exposeID("id"),
    clientId: t.id({ resolve: ({ application }) => application.id }),
    clientSlug: t.string({ resolve: ({ application }) => application.slug }),
    tenantKey: t.string(stored("tenantKey")),
    externalSubjectId: t.string(stored("externalSubjectId")),
    provider: t.expose("provider", { type: SocialProvider }),
    accountHint: t.exposeString("accountHint", orNull("The end of the provider's account id.")),
    status: t.field({
      type: ConnectionStatus,
      description: "null once the connection is erased.",
      ...stored("status"),
    }),
    syncStatus: t.expose("syncStatus", { type: SyncStatus, nullable: true }),
    explanation: t.expose("explanation", { type: SupportExplanation }),
    capabilities: t.field({ type: [SupportCapability], resolve: ({ capabilities }) => [...capabilities] }),
    refusals: t.field({
      type: [SupportRefusal],
      resolve: ({ refusals }) => Object.entries(refusals) as [CallKind, CallRefusal][],
    }),
    grant: t.field({ type: SupportGrant, ...stored("grant") }),
    posts: t.field({ type: [SupportPosts], resolve: ({ posts }) => Object.entries(posts) }),
    timeline: t.field({
      type: [SupportTimelineEvent],
      description: "Newest first: the newest jobs of each kind, and the subject's attempts at the provider.",
      resolve: ({ timeline }) => [...timeline],
    }),
    registrationId: t.id(stored("registrationId")),
    registrationStatus: t.field({
      type: RegistrationStatus,
      nullable: true,
      resolve: ({ connection }) => connection?.registration.status ?? null,
    }),
    createdAt: t.field({ type: "DateTime", ...stored("createdAt") }),
    lastSuccessfulSyncAt: t.field({ type: "DateTime", ...stored("lastSuccessfulSyncAt") }),
    nextScanAt: t.field({ type: "DateTime", ...stored("nextScanAt") }),
    touchedByDisconnect: t.field({
      type: [TouchedCount],
      description: "What a disconnect would affect. Workers erase the posts later.",
      resolve: async ({ connection }, _args, { service }) =>
        connection === null ? [] : touchedCounts(await measureDisconnect(service, connection)),
    }),
  }),
});

export const SCOPE_ARGUMENTS = builder.args((t) => ({
  clientSlug: t.string({ required: true }),
  tenantKey: t.string({ description: "May be absent if the client has one tenant." }),
  externalSubjectId: t.string({ required: true }),
}));

const LIST_ARGUMENTS = builder.args((t) => ({
  clientSlug: t.string({ description: "Only connections of this client." }),
  tenantKey: t.string({ description: "Only connections of this tenant of the client." }),
  registrationId: t.id({ description: "Only connections that were made through this registration." }),
  provider: t.field({ type: SocialProvider, description: "Only accounts at this provider." }),
  status: t.field({ type: ConnectionStatus, description: "Only connections with this status." }),
  syncStatus: t.field({ type: StoredSyncStatus, description: "Only connections whose latest scan ended like this." }),
  errorCode: t.string({ description: "Only connections whose latest scan failed with this code." }),
  reconnectForeseen: t.boolean({
    description: "If true, only connections that will need a reconnect within 7 days; the first 1,000.",
  }),
  from: t.field({ type: "DateTime", description: "Only accounts that were linked at this time or later." }),
  to: t.field({ type: "DateTime", description: "Only accounts that were linked before this time." }),
  cause: t.field({ type: ConnectionCause, description: "Only connections with this cause." }),
  causeFrom: t.field({ type: "DateTime", description: "Only connections with a cause since this time or later." }),
  causeTo: t.field({ type: "DateTime", description: "Only connections with a cause since before this time." }),
  externalSubjectId: t.string({ description: "Only connections of the user with this id." }),
  handle: t.string({
    description: "Only the connection of the client's account with this handle, if the client may read profiles.",
  }),
}));

builder.queryFields((t) => ({
  adminConnections: t.field({
    type: ListedConnectionPage,
    description:
      "All connections: needed reconnects first, then the newest first; with a cause, those that have it latest first. The first page of a list is in the audit log.",
    args: {
      ...PAGE_ARGUMENTS,
      ...LIST_ARGUMENTS,
      order: t.arg({ type: ConnectionOrder, description: "Another order." }),
      descending: t.arg.boolean({ description: "The reverse of the order. Ignored without one." }),
    },
    validate: inputSchema("adminConnections"),
    resolve: (_root, { first, after, ...args }, context, info) => {
      const shown = shownRows(context, info, LISTED_CONNECTION);
      return openConnectionList(context.service, panelActorOf(context), args, { first, after }, shown);
    },
  }),
  adminConnectionCounts: t.field({
    type: ConnectionCounts,
    description: "Counts what `adminConnections` lists with the same filter.",
    args: {
      by: t.arg({ type: ConnectionGrouping, required: true }),
      ...LIST_ARGUMENTS,
    },
    validate: inputSchema("adminConnectionCounts"),
    resolve: (_root, { by, ...filter }, { service }) => countAllConnections(service, filter, by),
  }),
  searchConnections: t.field({
    type: ListedConnectionPage,
    description: "The connections of a client's user, newest first. Each call is in the audit log.",
    args: { ...SCOPE_ARGUMENTS, ...PAGE_ARGUMENTS },
    validate: inputSchema("searchConnections"),
    resolve: (_root, { first, after, ...scope }, context, info) => {
      const shown = shownRows(context, info, LISTED_CONNECTION);
      return searchConnections(context.service, panelActorOf(context), scope, { first, after }, shown);
    },
  }),
  searchConnectAttempts: t.field({
    type: ListedAttemptPage,
    description:
      "The connect attempts of a client's user in the last 24 hours, newest first. Each call is in the audit log.",
    args: { ...SCOPE_ARGUMENTS, ...PAGE_ARGUMENTS },
    validate: inputSchema("searchConnectAttempts"),
    resolve: (_root, { first, after, ...scope }, context) =>
      searchConnectAttempts(context.service, panelActorOf(context), scope, { first, after }),
  }),
  findByReference: t.field({
    type: SupportReference,
    description:
      "What the id of a connection, connect attempt, job, request or key refers to. A call that finds something of a user is in the audit log.",
    args: {
      id: t.arg.id({
        description: "Any of these ids, or at least its first eight digits.",
        required: true,
      }),
    },
    resolve: (_root, { id }, context, info) => {
      const shown = shownRows(context, info, LISTED_CONNECTION, "connections");
      return findByReference(context.service, panelActorOf(context), id, shown);
    },
  }),
  viewedConnection: t.field({
    type: SupportConnection,
    description: "A connection that the admin opened within the last 15 minutes, so that a page can refresh itself.",
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, context) => readViewedConnection(context.service, panelActorOf(context), id),
  }),
}));

export const REASON = "Why, for the audit log: a ticket, a correlation id or a few words, without the user's id.";
const ACTIONS = { viewConnection, rescanConnection, retryJob, disconnectForUser };

builder.mutationFields((t) => {
  const action = (name: keyof typeof ACTIONS, what: string, description: string) =>
    t.field({
      type: SupportConnection,
      description: `${description} Needs a confirmation.`,
      errors: CONFIRMED_ERRORS,
      args: {
        id: t.arg.id({ description: `The id of the ${what}.`, required: true }),
        reason: t.arg.string({ description: REASON, required: true }),
      },
      validate: inputSchema(name),
      resolve: (_root, args, context) => ACTIONS[name](context.service, panelActorOf(context), args),
    });
  return {
    viewConnection: action(
      "viewConnection",
      "connection",
      "Opens a connection for support and records the admin and the reason.",
    ),
    rescanConnection: action("rescanConnection", "connection", "Starts a scan of a connection's default window."),
    retryJob: action("retryJob", "job", "Runs a waiting job now and shows its connection."),
    disconnectForUser: action(
      "disconnectForUser",
      "connection",
      "Disconnects an account for its user: stops access, revokes the grant and erases the data.",
    ),
  };
});
