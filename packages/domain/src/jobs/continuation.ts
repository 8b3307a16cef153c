import { LIMITS } from "@social-connect/contract";
import { differingBounds, resolveSyncWindow, type SyncWindow, type SyncWindowInput } from "../content/window.ts";
import { differText } from "../decisions/cursorQuery.ts";
import { badUserInput, type Refusal } from "../decisions/refusal.ts";
import { durationText } from "../time/time.ts";
import { isContinuable, type JobRow } from "./job.ts";

const EXPIRED = badUserInput(
  `\`continuationCursor\` has expired: it is valid for ${durationText(LIMITS.continuationCursorMs)} after an incomplete scan. Start a scan without it.`,
);

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
  if (scan === null) return badUserInput("`continuationCursor` must be that of an incomplete scan of this connection.");
  if (!isContinuable(scan, now)) return EXPIRED;
  const differing =
    requestedWindow == null ? [] : differingBounds(resolveSyncWindow(requestedWindow, now), scan.window);
  if (differing.length === 0) return null;
  return badUserInput(
    `\`window\` must equal the window of the scan that is continued: ${differText(differing)} Leave \`window\` out, or pass the same.`,
  );
}
