import type { CallOptions } from "@social-connect/sdk-core";
import { ConfigurationError, Paged, requireObject, Secret } from "@social-connect/sdk-core";
import type {
  Capability,
  Connection,
  ConnectionPage,
  ConnectSession,
  ContentItem,
  ContentPage,
  SocialProvider,
  SubjectScope,
} from "./_generated/types.ts";
import { ConnectResultPoller } from "./pollers/connectResult.ts";
import { Disconnection } from "./pollers/disconnection.ts";
import type { JobContext } from "./pollers/job.ts";
import { JobPoller, settledJob, settledLookup } from "./pollers/job.ts";
import { RefreshPoller } from "./pollers/refresh.ts";
import type { SettledLookup } from "./types/settled.ts";
import { call } from "./wire/call.ts";
import type { Settings } from "./wire/settings.ts";

/** A Date, or an ISO 8601 string that is passed on unchanged. */
export type DateInput = Date | string;

/** When posts were published. Store both times with a cursor: the cursor is valid only for this exact window. */
export interface PublishedWindow {
  /** The start of the window, included. */
  readonly publishedAfter: DateInput;
  /** The end of the window, excluded. At most 90 days after `publishedAfter`. */
  readonly publishedBefore: DateInput;
}

/** The window and the limit of a scan. */
export interface ScanWindow extends PublishedWindow {
  /** 1 to 100 posts, 100 by default. `scanAll` continues until the window is covered, regardless of this limit. */
  readonly maxItems?: number;
}

/** A request to connect an account. */
export interface ConnectRequest {
  /** The provider of the account. */
  readonly provider: SocialProvider;
  /** At least one, each once. */
  readonly capabilities: readonly Capability[];
  /** Equal to one of the application's registered return URLs. */
  readonly returnUrl: string;
  /** The connection to reconnect, of this subject and provider. */
  readonly reconnectConnectionId?: string;
}

/** A scan of a window (the last 7 days by default), or a new read of one stored post's metrics. */
export type RefreshRequest =
  | { readonly window?: ScanWindow; readonly providerContentId?: never }
  | { readonly providerContentId: string; readonly window?: never };

/** The operations for one user of the application. Created by `SocialConnect.forSubject`. */
export class Subject {
  /** The tenant and the user. */
  readonly scope: SubjectScope;
  readonly #settings: Settings;

  constructor(settings: Settings, scope: SubjectScope) {
    requireObject("scope", scope);
    const { tenantKey, externalSubjectId } = scope;
    requireText("tenantKey", tenantKey);
    requireText("externalSubjectId", externalSubjectId);
    this.scope = { tenantKey, externalSubjectId };
    this.#settings = settings;
  }

  /**
   * Starts an attempt to connect an account. Retried only if the request certainly never reached the service, because
   * each attempt counts towards the limit of 5 pending attempts. FORBIDDEN while a disconnect at the same provider
   * settles.
   */
  async connect(request: ConnectRequest, options?: CallOptions): Promise<ConnectSession> {
    requireObject("request", request);
    const input = { ...request, scope: this.scope };
    const { launchToken, ...session } = await call(this.#settings, "createConnectSession", { input }, options);
    return { ...session, launchToken: new Secret(launchToken) };
  }

  /** Follows an attempt by its id. This is the only trustworthy source of its result. */
  connectResult(id: string): ConnectResultPoller {
    requireText("id", id);
    return new ConnectResultPoller(this.#settings, this.scope, id);
  }

  /** Reads one linked account with its current state: a paused or ended grant rejects with its own error. */
  async connection(id: string, options?: CallOptions): Promise<Connection> {
    requireText("id", id);
    return call(this.#settings, "connection", { scope: this.scope, id }, options);
  }

  /** All linked accounts, in every status until erased. `pageSize`: 1 to 100. */
  connections(options: CallOptions & { readonly pageSize?: number } = {}): Paged<Connection, ConnectionPage> {
    const { pageSize: first, ...rest } = options;
    const { scope } = this;
    return new Paged(
      "connections",
      (after, pageOptions) => call(this.#settings, "connections", { scope, first, after }, pageOptions),
      rest,
    );
  }

  /** The stored posts published in a window, newest first. `pageSize`: 1 to 50, which is the default. */
  content(
    connectionId: string,
    window: PublishedWindow,
    options: CallOptions & { readonly pageSize?: number } = {},
  ): Paged<ContentItem, ContentPage> {
    requireText("connectionId", connectionId);
    const { pageSize: first = 50, ...rest } = options;
    const { scope } = this;
    const times = isoWindow(window);
    const load = (after: string | undefined, pageOptions: CallOptions) =>
      call(this.#settings, "content", { scope, connectionId, window: { ...times, first, after } }, pageOptions);
    return new Paged("content", load, rest);
  }

  /** One stored post, or null when it was never observed. */
  async contentItem(
    connectionId: string,
    providerContentId: string,
    options?: CallOptions,
  ): Promise<ContentItem | null> {
    requireText("connectionId", connectionId);
    requireText("providerContentId", providerContentId);
    return call(this.#settings, "contentItem", { scope: this.scope, connectionId, providerContentId }, options);
  }

  /**
   * Reads posts again from the provider. Nothing is sent before the first poll or `start()`. While a scan of another
   * window is in flight, `wait` and `scanAll` wait for it; `start` and `poll` reject with SYNC_WINDOW_BUSY.
   */
  refresh(connectionId: string, request: RefreshRequest = {}): RefreshPoller {
    requireText("connectionId", connectionId);
    requireObject("request", request);
    const { providerContentId } = request;
    const window = request.window && { ...request.window, ...isoWindow(request.window) };
    const variables = { scope: this.scope, connectionId, providerContentId, window };
    return new RefreshPoller(this.#job(connectionId), {
      start: (options) => call(this.#settings, "requestRefresh", variables, options),
    });
  }

  /** Finds a post by its URL. Nothing is sent before the first poll or `start()`. */
  lookup(connectionId: string, url: string): JobPoller<SettledLookup> {
    requireText("connectionId", connectionId);
    requireText("url", url);
    const variables = { scope: this.scope, connectionId, url };
    const start = (options: CallOptions) => call(this.#settings, "requestContentLookup", variables, options);
    return new JobPoller(this.#job(connectionId), { start }, "lookup", settledLookup);
  }

  /** Follows a job by its id. For disconnect receipts, `connectionId` is the id of the former connection. */
  job(connectionId: string, id: string): JobPoller {
    requireText("connectionId", connectionId);
    requireText("id", id);
    return new JobPoller(this.#job(connectionId), { id }, "job", settledJob);
  }

  /**
   * Ends access immediately and starts to revoke the grant and erase stored data. A repeated call returns the same two
   * receipts.
   */
  async disconnect(connectionId: string, options?: CallOptions): Promise<Disconnection> {
    requireText("connectionId", connectionId);
    const { scope } = this;
    const result = await call(this.#settings, "disconnectConnection", { scope, connectionId }, options);
    return new Disconnection(this.#job(result.connectionId), result);
  }

  #job(connectionId: string): JobContext {
    return { settings: this.#settings, scope: this.scope, connectionId };
  }
}

function isoWindow(window: PublishedWindow): { publishedAfter: string; publishedBefore: string } {
  requireObject("window", window);
  return { publishedAfter: iso(window.publishedAfter), publishedBefore: iso(window.publishedBefore) };
}

function iso(moment: DateInput): string {
  if (typeof moment === "string") return moment;
  if (moment instanceof Date && !Number.isNaN(moment.getTime())) return moment.toISOString();
  throw new ConfigurationError("publishedAfter and publishedBefore must each be a valid Date or an ISO 8601 string.");
}

/** Detects missing values; the service validates the rest. */
function requireText(name: string, value: string): void {
  if (typeof value !== "string" || value === "") throw new ConfigurationError(`${name} must be a non-empty string.`);
}
