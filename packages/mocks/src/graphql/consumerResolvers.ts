import type { ConnectInput, ContentWindowInput, SubjectScope } from "@social-connect/domain";
import { type Caller, unauthenticated } from "../modules/applications/authenticate.ts";
import { createConnectSession, readConnectResult } from "../modules/connect/connectSessions.ts";
import { readConnection } from "../modules/connections/access.ts";
import { listConnections } from "../modules/connections/listConnections.ts";
import { readContent, readContentItem } from "../modules/content/readContent.ts";
import { disconnectConnection } from "../modules/disconnect/disconnectConnection.ts";
import { createIdentitySession, redeemIdentityResult } from "../modules/identity/identitySessions.ts";
import { readSyncJob } from "../modules/jobs/readSyncJob.ts";
import { type RefreshRequest, requestContentLookup, requestRefresh } from "../modules/jobs/requestRefresh.ts";
import { readReadiness } from "../modules/registrations/findRegistration.ts";
import type { World } from "../world/world.ts";
import type { RootResolver, RootResolvers } from "./schema.ts";

export interface ConsumerContext {
  readonly world: World;
  /** null when no field of the operation requires the application key. */
  readonly caller: Caller | null;
  /** The UUID of the header; null without one. */
  readonly idempotencyKey: string | null;
}

interface InScope {
  readonly scope: SubjectScope;
}
interface OfConnection extends InScope {
  readonly connectionId: string;
}

/** A resolver for callers with a key. graphql-js validates the arguments' types before it runs. */
function withKey<Args>(run: (world: World, caller: Caller, args: Args) => unknown): RootResolver<ConsumerContext> {
  return ({ world, caller }, args, { checkArguments }) => {
    if (caller === null) throw unauthenticated();
    checkArguments();
    return run(world, caller, args as Args);
  };
}

/** The same for a call that must not be made twice: a repetition with its idempotency key gets the first response. */
function once<Args>(run: (world: World, caller: Caller, args: Args) => unknown): RootResolver<ConsumerContext> {
  const resolve = withKey(run);
  return (context, args, call) => {
    const { world, caller, idempotencyKey } = context;
    if (caller === null || idempotencyKey === null || world.settings.strict) return resolve(context, args, call);
    const repeated = JSON.stringify([caller.application.id, idempotencyKey, call.field, args]);
    return world.repetitions.first(repeated, world.nowMs(), () => resolve(context, args, call));
  };
}

export const consumerResolvers: RootResolvers<ConsumerContext> = {
  Query: {
    status: () => ({ ok: true, message: "Social Connect is up." }),
    integrationReadiness: withKey(readReadiness),
    connectSessionResult: withKey<InScope & { id: string }>((world, caller, { scope, id }) =>
      readConnectResult(world, caller, scope, id),
    ),
    connection: withKey<InScope & { id: string }>((world, caller, { scope, id }) =>
      readConnection(world, caller, scope, id),
    ),
    connections: withKey<InScope & { first?: number | null; after?: string | null }>(
      (world, caller, { scope, first = null, after = null }) => listConnections(world, caller, scope, { first, after }),
    ),
    content: withKey<OfConnection & { window: ContentWindowInput & { after?: string | null } }>(
      (world, caller, { scope, connectionId, window }) => readContent(world, caller, scope, connectionId, window),
    ),
    contentItem: withKey<OfConnection & { providerContentId: string }>(
      (world, caller, { scope, connectionId, providerContentId }) =>
        readContentItem(world, caller, scope, connectionId, providerContentId),
    ),
    syncJob: withKey<OfConnection & { id: string }>(readSyncJob),
  },
  Mutation: {
    createConnectSession: once<{ input: ConnectInput }>((world, caller, { input }) =>
      createConnectSession(world, caller, input),
    ),
    disconnectConnection: withKey<OfConnection>((world, caller, { scope, connectionId }) =>
      disconnectConnection(world, caller, scope, connectionId),
    ),
    requestRefresh: withKey<RefreshRequest>(requestRefresh),
    requestContentLookup: withKey<OfConnection & { url: string }>(requestContentLookup),
    createIdpIdentitySession: once<{ input: { tenantKey: string; returnUrl: string } }>((world, caller, { input }) =>
      createIdentitySession(world, caller, input),
    ),
    redeemIdpIdentityResult: once<{ id: string; tenantKey: string; resultProof: string }>(redeemIdentityResult),
  },
};
