import type { ScanSummary } from "@social-connect/sdk";
import { SocialConnectError } from "@social-connect/sdk";

/** What a refresh means for its connection. */
export type Outcome =
  | { readonly kind: "fresh"; readonly note: string | null }
  | { readonly kind: "later"; readonly note: string; readonly retryAfterSeconds: number | undefined }
  /** Nothing went wrong, it takes long: the same refresh is gone on with. */
  | { readonly kind: "unfinished" }
  | { readonly kind: "paused"; readonly note: string }
  | { readonly kind: "needs-person"; readonly note: string }
  | { readonly kind: "gone" };

/** What the end of a scan says. */
export function outcomeOfScan({ last, complete }: ScanSummary): Outcome {
  if (last.status === "SUCCEEDED") return { kind: "fresh", note: complete ? null : last.incompleteReason };
  return outcomeOfCode(last.status === "CANCELED" ? "DISCONNECTED" : (last.errorCode ?? "UNKNOWN"));
}

/**
 * What an error says. One that no waiting mends, a wrong key above all, is thrown on: a worker that cannot read anything
 * should end and be noticed.
 */
export function outcomeOfError(error: unknown): Outcome {
  if (!SocialConnectError.is(error)) throw error;
  if (error.kind === "timeout") return { kind: "unfinished" };
  if (error.kind === "configuration" || error.code === "UNAUTHENTICATED") throw error;
  return outcomeOfCode(error.code, error.retryAfterSeconds);
}

function outcomeOfCode(code: string, retryAfterSeconds?: number): Outcome {
  switch (code) {
    case "RECONNECT_REQUIRED":
      return { kind: "needs-person", note: code };
    case "NOT_FOUND":
    case "DISCONNECTED":
      return { kind: "gone" };
    case "AUTHORIZATION_SUSPENDED":
    case "CAPABILITY_UNAVAILABLE":
    case "FORBIDDEN":
      return { kind: "paused", note: code };
    default:
      // Limits, faults on the way, and codes that a later version of the service may bring: all of them may pass.
      return { kind: "later", note: code, retryAfterSeconds };
  }
}
