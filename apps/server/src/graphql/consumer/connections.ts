import type { CapabilityState as CapabilityStateShape } from "@social-connect/domain";
import type { StoredProfile } from "../../modules/connections/accessRow.ts";
import type { ConnectionPage as ConnectionPageShape } from "../../modules/connections/listConnections.ts";
import { listConnections } from "../../modules/connections/listConnections.ts";
import type { ConnectionShown } from "../../modules/connections/readConnection.ts";
import { readConnection } from "../../modules/connections/readConnection.ts";
import type { DisconnectResult as DisconnectResultShape } from "../../modules/disconnect/disconnectConnection.ts";
import { disconnectConnection } from "../../modules/disconnect/disconnectConnection.ts";
import { builder } from "./builder.ts";
import { callerOf } from "./context.ts";
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
  fields: (t) => ({
    capability: t.expose("capability", { type: Capability }),
    availability: t.expose("availability", { type: Availability }),
    reason: t.exposeString("reason", { nullable: true }),
  }),
});

const Profile = builder.objectRef<StoredProfile>("Profile").implement({
  fields: (t) => ({
    providerAccountId: t.exposeString("providerAccountId"),
    displayName: t.exposeString("displayName", { nullable: true }),
    handle: t.exposeString("handle", { nullable: true }),
    avatarUrl: t.exposeString("avatarUrl", { nullable: true }),
    profileUrl: t.exposeString("profileUrl", { nullable: true }),
    description: t.exposeString("description", { nullable: true }),
    observedAt: t.expose("observedAt", { type: "DateTime" }),
  }),
});

const Connection = builder.objectRef<ConnectionShown>("Connection").implement({
  description: "A linked account of one subject.",
  fields: (t) => ({
    id: t.exposeID("id", { description: "Stays the same across reconnects." }),
    provider: t.expose("provider", { type: SocialProvider }),
    providerAccountId: t.exposeString("providerAccountId"),
    status: t.expose("status", { type: ConnectionStatus }),
    syncStatus: t.expose("syncStatus", { type: SyncStatus }),
    capabilities: t.field({ type: [CapabilityState], resolve: ({ capabilities }) => [...capabilities] }),
    profile: t.expose("profile", { type: Profile, nullable: true, description: "Under 30 days old, or null." }),
    lastSuccessfulSyncAt: t.expose("lastSuccessfulSyncAt", { type: "DateTime", nullable: true }),
    nextRetryAt: t.expose("nextRetryAt", { type: "DateTime", nullable: true }),
  }),
});

const ConnectionPageInfo = builder.objectRef<ConnectionPageShape["pageInfo"]>("ConnectionPageInfo").implement({
  fields: (t) => ({
    endCursor: t.exposeString("endCursor", { nullable: true }),
    hasNextPage: t.exposeBoolean("hasNextPage"),
  }),
});

const ConnectionPage = builder.objectRef<ConnectionPageShape>("ConnectionPage").implement({
  fields: (t) => ({
    items: t.field({ type: [Connection], resolve: ({ items }) => [...items] }),
    pageInfo: t.expose("pageInfo", { type: ConnectionPageInfo }),
  }),
});

const DisconnectResult = builder.objectRef<DisconnectResultShape>("DisconnectResult").implement({
  fields: (t) => ({
    accepted: t.exposeBoolean("accepted"),
    connectionId: t.exposeID("connectionId"),
    upstreamRevocationPending: t.exposeBoolean("upstreamRevocationPending", {
      description: "True until the revoke job has succeeded.",
    }),
    revokeJobId: t.exposeID("revokeJobId"),
    eraseJobId: t.exposeID("eraseJobId"),
    creatorAction: t.expose("creatorAction", { type: ConnectCreatorAction, nullable: true }),
  }),
});

builder.queryField("connection", (t) =>
  t.field({
    type: Connection,
    description: "One linked account, checked anew whether it may be served.",
    args: { scope: t.arg({ type: SubjectScope, required: true }), id: t.arg.id({ required: true }) },
    resolve: (_root, { scope, id }, context) => readConnection(context.service, callerOf(context), scope, id),
  }),
);

builder.queryField("connections", (t) =>
  t.field({
    type: ConnectionPage,
    description: "The subject's linked accounts in the tenant, in every status until they are erased.",
    args: {
      scope: t.arg({ type: SubjectScope, required: true }),
      first: t.arg.int({ description: "1 to 100, 20 when absent." }),
      after: t.arg.string({ description: "The endCursor of the page before." }),
    },
    resolve: (_root, { scope, first, after }, context) =>
      listConnections(context.service, callerOf(context), scope, { first: first ?? null, after: after ?? null }),
  }),
);

builder.mutationField("disconnectConnection", (t) =>
  t.field({
    type: DisconnectResult,
    description: "Stops access at once, and starts giving the grant back and erasing what was stored.",
    args: { scope: t.arg({ type: SubjectScope, required: true }), connectionId: t.arg.id({ required: true }) },
    resolve: (_root, { scope, connectionId }, context) =>
      disconnectConnection(context.service, callerOf(context), scope, connectionId),
  }),
);
