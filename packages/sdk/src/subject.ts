import { CAPABILITIES, SOCIAL_PROVIDERS } from "@social-connect/contract";
import {
  type ApiCall,
  apiCall,
  type CallOptions,
  ConfigurationError,
  DATE_HINT,
  type Paged,
  refuseUnknownNames,
  requireObject,
  requireOneOf,
  Secret,
  timeOf,
} from "@social-connect/sdk-core";
import { LIMITS } from "./_generated/limits.ts";
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
import { type JobContext, JobPoller, settledJob, settledLookup } from "./pollers/job.ts";
import { RefreshPoller } from "./pollers/refresh.ts";
import { type AnyPage, type ListOptions, type PageArguments, type ReadOptions, readOne, readPages } from "./reads.ts";
import type { Select, Selected, SelectedPage, Selection } from "./select.ts";
import type { SettledLookup } from "./types/settled.ts";
import { exchange } from "./wire/call.ts";
import type { Settings } from "./wire/settings.ts";

/** A Date, also of another realm or of fake timers, or an ISO 8601 string that is passed on unchanged. */
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
  readonly maxItems?: number | undefined;
}

/** A request to connect an account. */
export interface ConnectRequest {
  /** The provider of the account: PROVIDER_A is YouTube, PROVIDER_B is TikTok, PROVIDER_C is Instagram. */
  readonly provider: SocialProvider;
  /** At least one, each once. */
  readonly capabilities: readonly Capability[];
  /** Equal to one of the application's registered return URLs. */
  readonly returnUrl: string;
  /** The connection to reconnect, of this subject and provider. */
  readonly reconnectConnectionId?: string | undefined;
}

/**
 * A scan of a window (the last 7 days by default), the continuation of an incomplete scan, or a new read of one stored
 * post's metrics.
 */
export type RefreshRequest =
  | {
      readonly window?: ScanWindow | undefined;
      /** The cursor of the incomplete scan's job. A `window` is optional and must equal that of the scan. */
      readonly continuationCursor?: string | undefined;
      readonly providerContentId?: undefined;
    }
  | {
      readonly providerContentId: string;
      readonly window?: undefined;
      readonly continuationCursor?: undefined;
    };

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
  connect(request: ConnectRequest, options?: CallOptions): ApiCall<ConnectSession> {
    return apiCall(async () => {
      checkConnectRequest(request);
      const input = { ...request, scope: this.scope };
      const { data, response } = await exchange(this.#settings, "createConnectSession", { input }, options);
      const { launchToken, ...session } = data;
      return { data: { ...session, launchToken: new Secret(launchToken) }, response };
    });
  }

  /** Follows an attempt by its id. This is the only trustworthy source of its result. */
  connectResult(id: string): ConnectResultPoller {
    requireText("id", id);
    return new ConnectResultPoller(this.#settings, this.scope, id);
  }

  /** Reads one linked account with its current state: a paused or ended grant rejects with its own error. */
  connection(id: string, options?: CallOptions): ApiCall<Connection>;
  /** The same with the selected fields only. */
  connection<const Chosen extends Selection<Connection>>(
    id: string,
    options: CallOptions & Select<Connection, Chosen>,
  ): ApiCall<Selected<Connection, Chosen>>;
  connection(id: string, options: ReadOptions = {}): ApiCall<unknown> {
    return apiCall(async () => {
      requireText("id", id);
      return readOne(this.#settings, "connection", { scope: this.scope, id }, options);
    });
  }

  /** All linked accounts, in every status until erased. `pageSize`: 1 to 100. */
  connections(options?: ListOptions): Paged<Connection, ConnectionPage>;
  /** The same with the selected fields only. */
  connections<const Chosen extends Selection<Connection>>(
    options: ListOptions & Select<Connection, Chosen>,
  ): Paged<Selected<Connection, Chosen>, SelectedPage<ConnectionPage, Chosen>>;
  connections(options: ListOptions & ReadOptions = {}): Paged<unknown, AnyPage> {
    const { scope } = this;
    const most = LIMITS.connectionsPageMax;
    return readPages(this.#settings, "connections", (page) => ({ scope, ...page }), options, most);
  }

  /** The stored posts published in a window, newest first. `pageSize`: 1 to 50, which is the default. */
  content(connectionId: string, window: PublishedWindow, options?: ListOptions): Paged<ContentItem, ContentPage>;
  /** The same with the selected fields only. */
  content<const Chosen extends Selection<ContentItem>>(
    connectionId: string,
    window: PublishedWindow,
    options: ListOptions & Select<ContentItem, Chosen>,
  ): Paged<Selected<ContentItem, Chosen>, SelectedPage<ContentPage, Chosen>>;
  content(
    connectionId: string,
    window: PublishedWindow,
    options: ListOptions & ReadOptions = {},
  ): Paged<unknown, AnyPage> {
    requireText("connectionId", connectionId);
    const { scope } = this;
    const times = isoWindow(window);
    const most = LIMITS.contentPageMax;
    const variablesOf = (page: PageArguments) => ({ scope, connectionId, window: { ...times, first: most, ...page } });
    return readPages(this.#settings, "content", variablesOf, options, most);
  }

  /** One stored post, or null when it was never observed. */
  contentItem(connectionId: string, providerContentId: string, options?: CallOptions): ApiCall<ContentItem | null>;
  /** The same with the selected fields only. */
  contentItem<const Chosen extends Selection<ContentItem>>(
    connectionId: string,
    providerContentId: string,
    options: CallOptions & Select<ContentItem, Chosen>,
  ): ApiCall<Selected<ContentItem, Chosen> | null>;
  contentItem(connectionId: string, providerContentId: string, options: ReadOptions = {}): ApiCall<unknown> {
    return apiCall(async () => {
      requireText("connectionId", connectionId);
      requireText("providerContentId", providerContentId);
      const variables = { scope: this.scope, connectionId, providerContentId };
      return readOne(this.#settings, "contentItem", variables, options);
    });
  }

  /**
   * Reads posts again from the provider. Nothing is sent before the first poll or `start()`. While a scan of another
   * window is in flight, `wait` and `scanAll` wait for it; `start` and `poll` reject with SYNC_WINDOW_BUSY.
   */
  refresh(connectionId: string, request: RefreshRequest = {}): RefreshPoller {
    requireText("connectionId", connectionId);
    refuseUnknownNames("request", request, REFRESH_PROPERTIES, "requestRefresh");
    const { providerContentId, continuationCursor } = request;
    const times = request.window ? isoWindow(request.window) : undefined;
    const window = times && { ...request.window, ...times };
    const variables = { scope: this.scope, connectionId, providerContentId, window, continuationCursor };
    const start = (options: CallOptions) => exchange(this.#settings, "requestRefresh", variables, options);
    return new RefreshPoller(this.#job(connectionId), { start }, { window: times });
  }

  /** Finds a post by its URL. Nothing is sent before the first poll or `start()`. */
  lookup(connectionId: string, url: string): JobPoller<SettledLookup> {
    requireText("connectionId", connectionId);
    requireText("url", url);
    const variables = { scope: this.scope, connectionId, url };
    const start = (options: CallOptions) => exchange(this.#settings, "requestContentLookup", variables, options);
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
  disconnect(connectionId: string, options?: CallOptions): ApiCall<Disconnection> {
    return apiCall(async () => {
      requireText("connectionId", connectionId);
      const variables = { scope: this.scope, connectionId };
      const { data, response } = await exchange(this.#settings, "disconnectConnection", variables, options);
      return { data: new Disconnection(this.#job(data.connectionId), data), response };
    });
  }

  #job(connectionId: string): JobContext {
    return { settings: this.#settings, scope: this.scope, connectionId };
  }
}

const REFRESH_PROPERTIES = [
  "window",
  "continuationCursor",
  "providerContentId",
] as const satisfies readonly (keyof RefreshRequest)[];

const CONNECT_PROPERTIES = [
  "provider",
  "capabilities",
  "returnUrl",
  "reconnectConnectionId",
] as const satisfies readonly (keyof ConnectRequest)[];

function checkConnectRequest(request: ConnectRequest): void {
  const operation = "createConnectSession";
  refuseUnknownNames("request", request, CONNECT_PROPERTIES, operation);
  requireOneOf("provider (YouTube, TikTok, Instagram)", request.provider, SOCIAL_PROVIDERS, operation);
  const capabilities: unknown = request.capabilities;
  if (!Array.isArray(capabilities) || capabilities.length === 0) {
    throw new ConfigurationError(`capabilities must be an array of ${CAPABILITIES.join(", ")}.`, operation);
  }
  for (const capability of capabilities) requireOneOf("Each of capabilities", capability, CAPABILITIES, operation);
}

function isoWindow(window: PublishedWindow): { publishedAfter: string; publishedBefore: string } {
  refuseUnknownNames("window", window, ["publishedAfter", "publishedBefore", "maxItems"]);
  return { publishedAfter: iso(window, "publishedAfter"), publishedBefore: iso(window, "publishedBefore") };
}

function iso(window: PublishedWindow, name: keyof PublishedWindow): string {
  const moment = window[name];
  const isText = typeof moment === "string";
  const date = new Date(isText ? moment : timeOf(moment));
  if (Number.isNaN(date.getTime()))
    throw new ConfigurationError(`${name} must be a valid Date or an ISO 8601 string. ${DATE_HINT}`);
  return isText ? moment : date.toISOString();
}

/** Detects missing values; the service validates the rest. */
function requireText(name: string, value: string): void {
  if (typeof value !== "string" || value === "") throw new ConfigurationError(`${name} must be a non-empty string.`);
}
