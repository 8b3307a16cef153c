import { LIMITS } from "@social-connect/contract";
import {
  type CapabilityState as CapabilityStateShape,
  type DisconnectResult as DisconnectResultShape,
  durationText,
  inputSchema,
} from "@social-connect/domain";
import type { StoredProfile } from "../../modules/connections/accessRow.ts";
import {
  type ConnectionPage as ConnectionPageShape,
  listConnections,
} from "../../modules/connections/listConnections.ts";
import { type ConnectionShown, readConnection } from "../../modules/connections/readConnection.ts";
import { disconnectConnection } from "../../modules/disconnect/disconnectConnection.ts";
import { dateOrNull, orNull } from "../shared/fieldOptions.ts";
import { builder } from "./builder.ts";
import { callerOf, readerOf } from "./context.ts";
import {
  Availability,
  Capability,
  ConnectCreatorAction,
  ConnectionStatus,
  SocialProvider,
  SyncStatus,
} from "./enums.ts";
import { SubjectScope } from "./scope.ts";

const CapabilityState = builder.objectRef<CapabilityStateShape>("CapabilityState").implement({
  description: "Whether a connection can be used for one of its granted capabilities.",
  fields: (t) => ({
    capability: t.expose("capability", { description: "The granted capability.", type: Capability }),
    availability: t.expose("availability", { description: "Whether it can be used now.", type: Availability }),
    reason: t.exposeString("reason", {
      description: "Why it cannot be used: an error code such as `RECONNECT_REQUIRED`; null when it is available.",
      nullable: true,
    }),
  }),
});

const Profile = builder.objectRef<StoredProfile>("Profile").implement({
  description: "An account as its provider shows it.",
  fields: (t) => ({
    providerAccountId: t.exposeString("providerAccountId", { description: "The provider's id of the account." }),
    displayName: t.exposeString("displayName", orNull("The name that the provider shows.")),
    handle: t.exposeString("handle", orNull("The name in URLs and mentions.")),
    avatarUrl: t.exposeString("avatarUrl", orNull("A picture. The URL may expire at the provider.")),
    profileUrl: t.exposeString("profileUrl", orNull("The account's public page.")),
    description: t.exposeString("description", orNull("What the account says about itself.")),
    observedAt: t.expose("observedAt", { description: "When the service last read the profile.", type: "DateTime" }),
  }),
});

const Connection = builder.objectRef<ConnectionShown>("Connection").implement({
  description: "A linked account of one user.",
  fields: (t) => ({
    id: t.exposeID("id", { description: "Stays the same when the user reconnects." }),
    provider: t.expose("provider", { description: "Where the account is.", type: SocialProvider }),
    providerAccountId: t.exposeString("providerAccountId", { description: "The provider's id of the account." }),
    status: t.expose("status", { description: "Whether the connection can be used.", type: ConnectionStatus }),
    syncStatus: t.expose("syncStatus", { description: "How current its stored posts are.", type: SyncStatus }),
    capabilities: t.expose("capabilities", {
      description: "One entry per granted capability.",
      type: [CapabilityState],
    }),
    profile: t.expose("profile", {
      type: Profile,
      nullable: true,
      description: `The account's profile; null unless the connection is CONNECTED, PROFILE is available and the profile is less than ${durationText(LIMITS.profileRetentionMs)} old.`,
    }),
    lastSuccessfulSyncAt: t.expose("lastSuccessfulSyncAt", {
      description: "When a scan last succeeded; null unless CONNECTED.",
      type: "DateTime",
      nullable: true,
    }),
    nextRetryAt: t.expose("nextRetryAt", dateOrNull("When a failed scan is retried; null unless CONNECTED.")),
  }),
});

const ConnectionPageInfo = builder.objectRef<ConnectionPageShape["pageInfo"]>("ConnectionPageInfo").implement({
  description: "The position of a page in a list of connections.",
  fields: (t) => ({
    endCursor: t.exposeString(
      "endCursor",
      orNull("Where the page ends: the `after` of the next page. Null if no page had a row."),
    ),
    hasNextPage: t.exposeBoolean("hasNextPage", { description: "Whether another page follows." }),
  }),
});

const ConnectionPage = builder.objectRef<ConnectionPageShape>("ConnectionPage").implement({
  description: "A page of connections. It may be shorter than requested, or empty, although another page follows.",
  fields: (t) => ({
    items: t.expose("items", { description: "The connections of this page.", type: [Connection] }),
    pageInfo: t.expose("pageInfo", { description: "How to read the next page.", type: ConnectionPageInfo }),
  }),
});

const DisconnectResult = builder.objectRef<DisconnectResultShape>("DisconnectResult").implement({
  description: "The answer to a disconnect. Access has ended.",
  fields: (t) => ({
    accepted: t.exposeBoolean("accepted", { description: "Always true." }),
    connectionId: t.exposeID("connectionId", { description: "The disconnected connection." }),
    upstreamRevocationPending: t.exposeBoolean("upstreamRevocationPending", {
      description: "True until the revoke job has succeeded.",
    }),
    revokeJobId: t.exposeID("revokeJobId", {
      description: "The job that revokes the grant at the provider. Its receipt says how that ended.",
    }),
    eraseJobId: t.exposeID("eraseJobId", { description: "The job that erases the stored data." }),
    creatorAction: t.expose("creatorAction", {
      description:
        "What the user has to do at the provider. Null does not prove that the grant was revoked; the receipt of the revoke job does.",
      type: ConnectCreatorAction,
      nullable: true,
    }),
  }),
});

builder.queryFields((t) => ({
  connection: t.field({
    type: Connection,
    description:
      "One linked account. Reading a CONNECTED one checks its access and fails with AUTHORIZATION_SUSPENDED, RECONNECT_REQUIRED, CAPABILITY_UNAVAILABLE or FORBIDDEN when it cannot be used.",
    args: {
      scope: t.arg({ description: "The user whose account it is.", type: SubjectScope, required: true }),
      id: t.arg.id({ description: "The id of the connection.", required: true }),
    },
    validate: inputSchema("connection"),
    resolve: (_root, { scope, id }, context) => readConnection(context.service, readerOf(context), scope, id),
  }),
  connections: t.field({
    type: ConnectionPage,
    description: "The user's linked accounts in the tenant, in every status until they are erased.",
    args: {
      scope: t.arg({ description: "The user whose accounts to list.", type: SubjectScope, required: true }),
      first: t.arg.int({
        description: `Page size: 1 to ${LIMITS.connectionsPageMax}, ${LIMITS.connectionsPageDefault} by default.`,
      }),
      after: t.arg.string({ description: "`endCursor` of the previous page." }),
    },
    validate: inputSchema("connections"),
    resolve: (_root, { scope, first, after }, context) =>
      listConnections(context.service, readerOf(context), scope, { first: first ?? null, after: after ?? null }),
  }),
}));

builder.mutationField("disconnectConnection", (t) =>
  t.field({
    type: DisconnectResult,
    description:
      "Ends access immediately, and starts revoking the grant and erasing the stored data. A repeated call returns the same two jobs until the connection is erased; after that it fails with NOT_FOUND.",
    args: {
      scope: t.arg({ description: "The user whose account it is.", type: SubjectScope, required: true }),
      connectionId: t.arg.id({ description: "The connection to end.", required: true }),
    },
    validate: inputSchema("disconnectConnection"),
    resolve: (_root, { scope, connectionId }, context) =>
      disconnectConnection(context.service, callerOf(context), scope, connectionId),
  }),
);
