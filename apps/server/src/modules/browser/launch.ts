import { equalHashes, sha256 } from "../../platform/hash.ts";
import type { Secret } from "../../platform/secret.ts";

/** The outcome of launching a connect or identity attempt. */
export type LaunchOutcome =
  | {
      readonly outcome: "redirect";
      readonly location: URL;
      readonly attemptId: string;
      readonly browserSecret: Secret;
      readonly expiresAt: Date;
    }
  | { readonly outcome: "origin-refused"; readonly originMissing: boolean; readonly attemptId: string }
  /** The attempt whose token was already used; null for a token that was never issued. */
  | { readonly outcome: "token-spent"; readonly attemptId: string | null }
  | { readonly outcome: "expired" | "unavailable" };

/** Whether this is the browser that the connect or identity attempt was bound to at launch. */
export function isBoundBrowser(
  attempt: { readonly browserHash: Uint8Array | null },
  browserSecret: string | null,
): boolean {
  return (
    browserSecret !== null && attempt.browserHash !== null && equalHashes(sha256(browserSecret), attempt.browserHash)
  );
}
