import type { ConnectInput, ContentWindowInput, SubjectScope } from "@social-connect/domain";
import type { Caller } from "../service/applications/authenticate.ts";
import { unauthenticated } from "../service/applications/authenticate.ts";
import { createConnectSession } from "../service/connect/createConnectSession.ts";
import { readConnectResult } from "../service/connect/readConnectResult.ts";
import { disconnectConnection } from "../service/connections/disconnectConnection.ts";
import { listConnections } from "../service/connections/listConnections.ts";
import { readConnection } from "../service/connections/readConnection.ts";
import { readContent } from "../service/content/readContent.ts";
import { readContentItem } from "../service/content/readContentItem.ts";
import { createIdentitySession } from "../service/identity/createIdentitySession.ts";
import { redeemIdentityResult } from "../service/identity/redeemIdentityResult.ts";
import { readSyncJob } from "../service/jobs/readSyncJob.ts";
import type { RefreshRequest } from "../service/jobs/requestRead.ts";
import { requestContentLookup, requestRefresh } from "../service/jobs/requestRead.ts";
import { readReadiness } from "../service/registrations/readReadiness.ts";
import type { World } from "../world/world.ts";
import type { RootResolvers } from "./schema.ts";

export interface ConsumerContext {
  readonly world: World;
  /** Set when the operation has a field that needs the application key. */
  readonly caller: Caller | null;
}

interface InScope {
  readonly scope: SubjectScope;
}

/** The operations of the consumer API. graphql-js has checked the arguments against the schema before one of them runs. */
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
