import type { PostForm } from "@social-connect/provider-fixtures";
import type { App } from "../shared/http.ts";
import type { Grant } from "./grant.ts";
import type { World } from "./world.ts";

export type Capability = "PROFILE" | "CONTENT_LIST" | "CONTENT_LOOKUP" | "CONTENT_METRICS";

/** Scopes of a provider, and which of them a user can decline. */
export interface ScopeRules {
  /** Every scope that the provider knows, with its text on the consent page. */
  readonly labels: Readonly<Record<string, string>>;
  /** Scopes that cannot be declined when they are requested. */
  readonly required: readonly string[];
  /** A scope that is requested without others has no checkbox: the user allows or denies it. */
  readonly singleIsRequired?: boolean;
  /** Granted by the script `partial-scopes`. */
  readonly profileOnly: readonly string[];
  /** Granted by the script `no-scopes`. */
  readonly atLeast: readonly string[];
}

/** The differences between providers that code outside their folders needs. */
export interface ProviderProfile {
  readonly defaultPort: number;
  /** Endpoints, as paths on the provider's origin. */
  readonly paths: {
    readonly authorization: string;
    readonly token: string;
    readonly revocation?: string;
    readonly api: string;
  };
  /** Scope names by capability; the same for the real providers. */
  readonly capabilityScopes: Record<Capability, string[]>;
  readonly scopeRules: ScopeRules;
  /** Default form of posts published through the control API. */
  readonly defaultPostForm: PostForm;
  routes(app: App, world: World): void;
  /** Whether the link to a picture is valid; absent where links do not expire. */
  pictureLinkIsValid?(postId: string, query: URLSearchParams, now: Date): boolean;
  /** Notifies the application of a removed app; the HTTP status of its response. Absent where the provider does not notify. */
  sendDeauthorization?(world: World, grant: Grant, removedAt: Date): Promise<number | null>;
}
