import { hasEqualBounds, resolveSyncWindow, type SyncWindow, type SyncWindowInput } from "../content/window.ts";
import { badUserInput, type Refusal } from "../decisions/refusal.ts";
import { isContinuable, type JobRow } from "./job.ts";

/**
 * Whether a scan can be continued with its cursor. BAD_USER_INPUT if the cursor does not identify a scan of this connection
 * (`scan` null: altered, foreign, or deleted), the scan did not succeed or covered its window, it ended 24 hours ago or more,
 * or the passed window differs from the original one (including maxItems, with defaults on both sides).
 * Source: service description, part 4, requestRefresh, and part 8.
 */
export function checkContinuation(
  scan:
    | (Pick<JobRow, "kind" | "status" | "completeForWindow" | "finishedAt"> & {
        readonly window: Omit<SyncWindow, "isDefault">;
      })
    | null,
  requestedWindow: SyncWindowInput | null | undefined,
  now: Date,
): Refusal | null {
  if (scan === null || !isContinuable(scan, now)) return badUserInput("`continuationCursor` is invalid or expired.");
  if (requestedWindow == null || hasEqualBounds(resolveSyncWindow(requestedWindow, now), scan.window)) return null;
  return badUserInput("`window` must equal the window of the scan that is continued.");
}
