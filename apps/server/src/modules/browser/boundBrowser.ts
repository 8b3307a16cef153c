import { equalHashes, sha256 } from "../../platform/hash.ts";

/** Whether a browser is the one that an attempt, at Connect or at the identity handoff, was bound to at its launch. */
export function isBoundBrowser(
  attempt: { readonly browserHash: Uint8Array | null },
  browserSecret: string | null,
): boolean {
  return (
    browserSecret !== null && attempt.browserHash !== null && equalHashes(sha256(browserSecret), attempt.browserHash)
  );
}
