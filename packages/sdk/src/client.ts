import { type ApiCall, apiCall, type CallOptions } from "@social-connect/sdk-core";
import type {
  ApiStatus,
  IdpIdentityRequest,
  IdpIdentitySession,
  IntegrationReadiness,
  SubjectScope,
} from "./_generated/types.ts";
import { ownRequest, type TypedDocument, type UntypedDocument } from "./documents/ownDocument.ts";
import { type EnvironmentOptions, optionsFromEnv } from "./environment.ts";
import { createIdpIdentitySession, type IdpIdentityRedeem, redeemIdpIdentity } from "./identity.ts";
import { type ResumedPollers, resumeSaved } from "./pollers/resume.ts";
import type { SavedKind, SavedPoller } from "./pollers/saved.ts";
import { recentWindow } from "./recentWindow.ts";
import { type PublishedWindow, Subject } from "./subject.ts";
import type { IdpIdentityResult } from "./types/settled.ts";
import { exchange, sendOwn } from "./wire/call.ts";
import { readSettings, type Settings, type SocialConnectOptions } from "./wire/settings.ts";

/** A client for one application in one mode, for use on a server. Create one client and reuse it. */
export class SocialConnect {
  readonly #settings: Settings;

  /** Throws ConfigurationError for a malformed URL or key, without repeating either. */
  constructor(options: SocialConnectOptions) {
    this.#settings = readSettings(options);
  }

  /**
   * A client with the URL and the key of the environment: `SOCIAL_CONNECT_URL` and `SOCIAL_CONNECT_KEY`, or of the files
   * that `SOCIAL_CONNECT_URL_FILE` and `SOCIAL_CONNECT_KEY_FILE` name. Throws ConfigurationError, which names the variables that
   * are missing. Where there is no `process.env`, pass `env`.
   */
  static fromEnv(options: EnvironmentOptions = {}): SocialConnect {
    return new SocialConnect(optionsFromEnv(options));
  }

  /** Whether the service is available; sends no key. */
  status(options?: CallOptions): ApiCall<ApiStatus> {
    return apiCall(() => exchange(this.#settings, "status", {}, options));
  }

  /** The currently available actions. */
  readiness(options?: CallOptions): ApiCall<IntegrationReadiness> {
    return apiCall(() => exchange(this.#settings, "integrationReadiness", {}, options));
  }

  /**
   * Sends a document of your own, for example to read several connections in one request; returns its `data`. The types of the result
   * and the variables come from the document.
   *
   * The document is checked first: ConfigurationError for a document over the service's limits, and for
   * a selected `launchToken` or `resultProof`, which only the methods return, as a Secret. Queries are retried, and mutations if each
   * of their operations is idempotent. The response has the selected fields and no others, but their scalars are not checked.
   */
  request<Result, Variables>(
    document: TypedDocument<Result, Variables>,
    ...rest: Record<never, never> extends Variables
      ? [variables?: Variables, options?: CallOptions]
      : [variables: Variables, options?: CallOptions]
  ): ApiCall<Result>;
  /** The same with a text, or with a document without types. */
  request<Result = Readonly<Record<string, unknown>>>(
    document: string | UntypedDocument,
    variables?: Readonly<Record<string, unknown>>,
    options?: CallOptions,
  ): ApiCall<Result>;
  request(document: unknown, variables: unknown = {}, options?: CallOptions): ApiCall<unknown> {
    return apiCall(async () => sendOwn(this.#settings, ownRequest(document, variables), options));
  }

  /**
   * The last `days` days, 1 to 90, until the end of the current UTC day. Scan and read with the same window: it stays the same
   * until midnight, and a scan covers it including the part that is in the future. Up to 7 days are covered by the daily scans
   * and by a refresh without a window.
   */
  recentWindow(days: number): PublishedWindow {
    return recentWindow(this.#settings.clock.now(), days);
  }

  /** The operations for one user. Both values must come from your own sign-in, never from the user's input. */
  forSubject(scope: SubjectScope): Subject {
    return new Subject(this.#settings, scope);
  }

  /** Starts a sign-in handoff through the service's identity provider. */
  createIdpIdentitySession(request: IdpIdentityRequest, options?: CallOptions): ApiCall<IdpIdentitySession> {
    return apiCall(() => createIdpIdentitySession(this.#settings, request, options));
  }

  /** Reads the result of a handoff. PENDING can be redeemed again; any other status is returned only once. */
  redeemIdpIdentity(request: IdpIdentityRedeem, options?: CallOptions): ApiCall<IdpIdentityResult> {
    return apiCall(() => redeemIdpIdentity(this.#settings, request, options));
  }

  /** Restores a poller from its JSON, in another process or after a restart. */
  resume<Kind extends SavedKind>(saved: SavedPoller<Kind>): ResumedPollers[Kind] {
    return resumeSaved(this.#settings, saved);
  }
}
