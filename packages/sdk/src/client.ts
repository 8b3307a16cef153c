import type { CallOptions } from "@social-connect/sdk-core";
import type {
  ApiStatus,
  IdpIdentityRequest,
  IdpIdentitySession,
  IntegrationReadiness,
  SubjectScope,
} from "./_generated/types.ts";
import type { IdpIdentityRedeem } from "./identity.ts";
import { createIdpIdentitySession, redeemIdpIdentity } from "./identity.ts";
import type { ResumedPollers } from "./pollers/resume.ts";
import { resumeSaved } from "./pollers/resume.ts";
import type { SavedKind, SavedPoller } from "./pollers/saved.ts";
import { Subject } from "./subject.ts";
import type { IdpIdentityResult } from "./types/settled.ts";
import { call } from "./wire/call.ts";
import type { Settings, SocialConnectOptions } from "./wire/settings.ts";
import { readSettings } from "./wire/settings.ts";

/** A client for one application in one mode, for use on a server. Create one client and reuse it. */
export class SocialConnect {
  readonly #settings: Settings;

  /** Throws ConfigurationError for a malformed URL or key, without repeating either. */
  constructor(options: SocialConnectOptions) {
    this.#settings = readSettings(options);
  }

  /** Whether the service is available; sends no key. */
  async status(options?: CallOptions): Promise<ApiStatus> {
    return call(this.#settings, "status", {}, options);
  }

  /** The currently available actions. */
  async readiness(options?: CallOptions): Promise<IntegrationReadiness> {
    return call(this.#settings, "integrationReadiness", {}, options);
  }

  /** The operations for one user. Both values must come from your own sign-in, never from the user's input. */
  forSubject(scope: SubjectScope): Subject {
    return new Subject(this.#settings, scope);
  }

  /** Starts a sign-in handoff through the service's identity provider. */
  createIdpIdentitySession(request: IdpIdentityRequest, options?: CallOptions): Promise<IdpIdentitySession> {
    return createIdpIdentitySession(this.#settings, request, options);
  }

  /** Reads the result of a handoff. PENDING can be redeemed again; any other status is returned only once. */
  redeemIdpIdentity(request: IdpIdentityRedeem, options?: CallOptions): Promise<IdpIdentityResult> {
    return redeemIdpIdentity(this.#settings, request, options);
  }

  /** Restores a poller from its JSON, in another process or after a restart. */
  resume<Kind extends SavedKind>(saved: SavedPoller<Kind>): ResumedPollers[Kind] {
    return resumeSaved(this.#settings, saved);
  }
}
