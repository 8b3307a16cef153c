import type { ConnectInput, ContentWindowInput, SubjectScope } from "@social-connect/domain";
import type { Caller } from "../modules/applications/authenticate.ts";
import { unauthenticated } from "../modules/applications/authenticate.ts";
import { createConnectSession } from "../modules/connect/createConnectSession.ts";
import { readConnectResult } from "../modules/connect/readConnectResult.ts";
import { listConnections } from "../modules/connections/listConnections.ts";
import { readConnection } from "../modules/connections/readConnection.ts";
import { readContent } from "../modules/content/readContent.ts";
import { readContentItem } from "../modules/content/readContentItem.ts";
import { disconnectConnection } from "../modules/disconnect/disconnectConnection.ts";
import { createIdentitySession } from "../modules/identity/createIdentitySession.ts";
import { redeemIdentityResult } from "../modules/identity/redeemIdentityResult.ts";
import { readSyncJob } from "../modules/jobs/readSyncJob.ts";
import type { RefreshRequest } from "../modules/jobs/requestRefresh.ts";
import { requestContentLookup, requestRefresh } from "../modules/jobs/requestRefresh.ts";
import { readReadiness } from "../modules/registrations/readReadiness.ts";
import type { World } from "../world/world.ts";
import type { RootResolvers } from "./schema.ts";

export interface ConsumerContext {
  readonly world: World;
  /** null when no field of the operation requires the application key. */
  readonly caller: Caller | null;
}

interface InScope {
  readonly scope: SubjectScope;
}

/** The operations of the consumer API. graphql-js validates the arguments before a resolver runs. */
export const consumerResolvers: RootResolvers<ConsumerContext> = {
  Query: {
    status: () => ({ ok: true, message: "Social Connect is up." }),
    integrationReadiness: (context) => readReadiness(context.world, callerOf(context)),
    connectSessionResult: (context, args) => {
      const { scope, id } = args as unknown as InScope & { id: string };
      return readConnectResult(context.world, callerOf(context), scope, id);
    },
    connection: (context, args) => {
      const { scope, id } = args as unknown as InScope & { id: string };
      return readConnection(context.world, callerOf(context), scope, id);
    },
    connections: (context, args) => {
      const { scope, first, after } = args as unknown as InScope & { first?: number | null; after?: string | null };
      return listConnections(context.world, callerOf(context), scope, { first: first ?? null, after: after ?? null });
    },
    content: (context, args) => {
      const { scope, connectionId, window } = args as unknown as InScope & {
        connectionId: string;
        window: ContentWindowInput & { after?: string | null };
      };
      return readContent(context.world, callerOf(context), scope, connectionId, window);
    },
    contentItem: (context, args) => {
      const { scope, connectionId, providerContentId } = args as unknown as InScope & {
        connectionId: string;
        providerContentId: string;
      };
      return readContentItem(context.world, callerOf(context), scope, connectionId, providerContentId);
    },
    syncJob: (context, args) =>
      readSyncJob(context.world, callerOf(context), args as unknown as InScope & { connectionId: string; id: string }),
  },
  Mutation: {
    createConnectSession: (context, args) =>
      createConnectSession(context.world, callerOf(context), args["input"] as ConnectInput),
    disconnectConnection: (context, args) => {
      const { scope, connectionId } = args as unknown as InScope & { connectionId: string };
      return disconnectConnection(context.world, callerOf(context), scope, connectionId);
    },
    requestRefresh: (context, args) =>
      requestRefresh(context.world, callerOf(context), args as unknown as RefreshRequest),
    requestContentLookup: (context, args) =>
      requestContentLookup(
        context.world,
        callerOf(context),
        args as unknown as InScope & { connectionId: string; url: string },
      ),
    createIdpIdentitySession: (context, args) =>
      createIdentitySession(
        context.world,
        callerOf(context),
        args["input"] as { tenantKey: string; returnUrl: string },
      ),
    redeemIdpIdentityResult: (context, args) =>
      redeemIdentityResult(
        context.world,
        callerOf(context),
        args as unknown as { id: string; tenantKey: string; resultProof: string },
      ),
  },
};

function callerOf({ caller }: ConsumerContext): Caller {
  if (caller === null) throw unauthenticated();
  return caller;
}
