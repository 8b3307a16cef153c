import { equalHashes, sha256 } from "../../platform/hash.ts";
import type { Secret } from "../../platform/secret.ts";

/** How a launch of a connect or identity attempt ended. */
export type LaunchOutcome =
  | {
      readonly outcome: "redirect";
      readonly location: URL;
      readonly attemptId: string;
      readonly browserSecret: Secret;
      readonly expiresAt: Date;
    }
  | { readonly outcome: "origin-refused"; readonly originMissing: boolean; readonly attemptId: string }
  /** The attempt whose token was used before; null for a token that was never issued. */
  | { readonly outcome: "token-spent"; readonly attemptId: string | null }
  | { readonly outcome: "expired" | "unavailable" };

/** Whether a browser is the one that an attempt, at Connect or at the identity handoff, was bound to at its launch. */
export function isBoundBrowser(
  attempt: { readonly browserHash: Uint8Array | null },
  browserSecret: string | null,
): boolean {
  return (
    browserSecret !== null && attempt.browserHash !== null && equalHashes(sha256(browserSecret), attempt.browserHash)
  );
}
