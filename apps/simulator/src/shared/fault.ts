/** One way for a call to go wrong. Each provider renders it in its own error form; a script or the control address asks for it. */
export type Fault =
  /** A server-side failure with this status (500 to 599). */
  | { readonly kind: "status"; readonly status: number; readonly retryAfterSeconds?: number }
  /** Too many calls. `quota` means the day's allowance and not a moment's burst. */
  | { readonly kind: "rate-limited"; readonly quota: boolean; readonly retryAfterSeconds?: number }
  /** The grant is ended before the call is answered. */
  | { readonly kind: "grant-gone"; readonly cause: GrantEnd }
  /** The answer comes late, and is a good one. */
  | { readonly kind: "delay"; readonly delayMs: number }
  /** The answer's body is broken. */
  | { readonly kind: "body"; readonly form: BrokenBody }
  /** The call has its effect and the connection is cut before a byte of the answer. */
  | { readonly kind: "lost-answer" };

/** How a grant came to its end. */
export type GrantEnd = "revoked" | "removed-app" | "password-changed" | "expired" | "code-reused" | "refresh-reused";

export const BROKEN_BODIES = ["not-json", "cut", "huge", "stalled", "other-shape", "empty"] as const;
export type BrokenBody = (typeof BROKEN_BODIES)[number];
