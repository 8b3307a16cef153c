import type { AccountState } from "@social-connect/provider-fixtures";

/** A fault of a script or of the control API. Each provider returns it in its own error format. */
export type Fault =
  /** A server-side failure with this status (500 to 599). */
  | { readonly kind: "status"; readonly status: number; readonly retryAfterSeconds?: number }
  /** Too many calls. `quota`: the daily quota instead of the rate limit. */
  | {
      readonly kind: "rate-limited";
      readonly quota: boolean;
      readonly retryAfterSeconds?: number;
      /** The day's quota has the code of a short limit, and a fact that names the day. */
      readonly isShortLimitCode?: boolean;
    }
  /** The account cannot be read. */
  | { readonly kind: AccountState }
  /** The provider refuses the application's client, for every account. */
  | { readonly kind: "application-blocked"; readonly form?: "capability" | "permission" }
  /** The provider does not find the list of posts. */
  | { readonly kind: "list-not-found" }
  /** The provider refuses the call with an undocumented code and message. */
  | { readonly kind: "refused"; readonly status: number; readonly code: string; readonly message: string }
  /** The grant ends before the response. */
  | { readonly kind: "grant-gone"; readonly cause: GrantEnd }
  | { readonly kind: "delay"; readonly delayMs: number }
  | { readonly kind: "body"; readonly form: BrokenBody }
  /** The call is applied, and the connection closes before the response; `isReset`: with a TCP reset. */
  | { readonly kind: "lost-answer"; readonly isReset?: boolean };

export type GrantEnd = "revoked" | "removed-app" | "password-changed" | "expired" | "code-reused" | "refresh-reused";

export const BROKEN_BODIES = ["not-json", "cut", "huge", "stalled", "other-shape", "empty"] as const;
export type BrokenBody = (typeof BROKEN_BODIES)[number];
