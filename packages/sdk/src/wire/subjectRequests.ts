import type { CallOptions } from "@social-connect/sdk-core";
import { Secret } from "@social-connect/sdk-core";
import type { ConnectInput, ContentWindow, SyncWindow } from "../_generated/inputs.ts";
import type {
  Connection,
  ConnectionPage,
  ConnectResult,
  ConnectSession,
  ContentItem,
  ContentPage,
  DisconnectResult,
  SubjectScope,
  SyncJob,
} from "../_generated/types.ts";
import { call } from "./call.ts";
import type { Settings } from "./settings.ts";

export interface RefreshArguments {
  readonly connectionId: string;
  readonly providerContentId?: string | undefined;
  readonly window?: SyncWindow | undefined;
  readonly continuationCursor?: string | undefined;
}

/** The operations of a subject as functions, which pollers and lists use. */
export function subjectRequests(settings: Settings, scope: SubjectScope) {
  return {
    async createConnectSession(input: Omit<ConnectInput, "scope">, options?: CallOptions): Promise<ConnectSession> {
      const data = await call(
        settings,
        {
          operation: "createConnectSession",
          send: (requests) => requests.CreateConnectSession({ input: { ...input, scope } }),
        },
        options,
      );
      const { launchToken, ...session } = data.createConnectSession;
      return { ...session, launchToken: new Secret(launchToken) };
    },

    async connectSessionResult(id: string, options?: CallOptions): Promise<ConnectResult> {
      const data = await call(
        settings,
        { operation: "connectSessionResult", send: (requests) => requests.ConnectSessionResult({ scope, id }) },
        options,
      );
      return data.connectSessionResult;
    },

    async connection(id: string, options?: CallOptions): Promise<Connection> {
      const data = await call(
        settings,
        { operation: "connection", send: (requests) => requests.Connection({ scope, id }) },
        options,
      );
      return data.connection;
    },

    async connections(page: { first?: number; after?: string }, options?: CallOptions): Promise<ConnectionPage> {
      const data = await call(
        settings,
        { operation: "connections", send: (requests) => requests.Connections({ scope, ...page }) },
        options,
      );
      return data.connections;
    },

    async content(connectionId: string, window: ContentWindow, options?: CallOptions): Promise<ContentPage> {
      const data = await call(
        settings,
        { operation: "content", send: (requests) => requests.Content({ scope, connectionId, window }) },
        options,
      );
      return data.content;
    },

    async contentItem(
      connectionId: string,
      providerContentId: string,
      options?: CallOptions,
    ): Promise<ContentItem | null> {
      const data = await call(
        settings,
        {
          operation: "contentItem",
          send: (requests) => requests.ContentItem({ scope, connectionId, providerContentId }),
        },
        options,
      );
      return data.contentItem;
    },

    async requestRefresh(args: RefreshArguments, options?: CallOptions): Promise<SyncJob> {
      const data = await call(
        settings,
        { operation: "requestRefresh", send: (requests) => requests.RequestRefresh({ scope, ...args }) },
        options,
      );
      return data.requestRefresh;
    },

    async requestContentLookup(connectionId: string, url: string, options?: CallOptions): Promise<SyncJob> {
      const data = await call(
        settings,
        {
          operation: "requestContentLookup",
          send: (requests) => requests.RequestContentLookup({ scope, connectionId, url }),
        },
        options,
      );
      return data.requestContentLookup;
    },

    async syncJob(connectionId: string, id: string, options?: CallOptions): Promise<SyncJob> {
      const data = await call(
        settings,
        { operation: "syncJob", send: (requests) => requests.SyncJob({ scope, connectionId, id }) },
        options,
      );
      return data.syncJob;
    },

    async disconnectConnection(connectionId: string, options?: CallOptions): Promise<DisconnectResult> {
      const data = await call(
        settings,
        {
          operation: "disconnectConnection",
          send: (requests) => requests.DisconnectConnection({ scope, connectionId }),
        },
        options,
      );
      return data.disconnectConnection;
    },
  };
}

export type SubjectRequests = ReturnType<typeof subjectRequests>;
