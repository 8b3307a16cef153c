import { type ScanSummary, SocialConnectError } from "@social-connect/sdk";

/** What a refresh means for its connection. */
export type Outcome =
  | { readonly kind: "fresh"; readonly note: string | null }
  | { readonly kind: "later"; readonly note: string; readonly retryAfterSeconds: number | undefined }
  /** No failure, but it takes long: the same refresh is continued. */
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
 * Maps an error to an outcome. Errors that waiting cannot solve, such as an invalid key, are rethrown: a worker that
 * cannot read anything should exit and be noticed.
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
      // Limits, temporary failures, and codes of later versions of the service: all may resolve without a change.
      return { kind: "later", note: code, retryAfterSeconds };
  }
}
