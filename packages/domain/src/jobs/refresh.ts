import { LIMITS } from "@social-connect/contract";
import type { SyncWindow } from "../content/window.ts";
import { sameWindow } from "../content/window.ts";
import type { Refusal } from "../decisions/refusal.ts";
import { badUserInput, refuse } from "../decisions/refusal.ts";

/** What a read job works on; the parts that make two requests the same request. */
export type ReadTarget =
  | { readonly kind: "SCAN"; readonly window: SyncWindow }
  | { readonly kind: "METRICS"; readonly providerContentId: string }
  | { readonly kind: "LOOKUP"; readonly lookup: { readonly kind: "id" | "shortcode"; readonly value: string } };

export type RefreshDecision<Job> =
  | { readonly outcome: "existing"; readonly job: Job }
  | { readonly outcome: "refused"; readonly violation: Refusal }
  | { readonly outcome: "create" };

/** BAD_USER_INPUT when a post is named together with a window or a cursor. Source: service description, part 4, requestRefresh. */
export function checkRefreshArguments(args: {
  readonly providerContentId?: string | null | undefined;
  readonly window?: unknown;
  readonly continuationCursor?: string | null | undefined;
}): Refusal | null {
  if (args.providerContentId == null || (args.window == null && args.continuationCursor == null)) return null;
  return badUserInput("providerContentId excludes window and continuationCursor");
}

/**
 * What becomes of a request to read. `inFlight` are the QUEUED and RUNNING read jobs of the connection, those that the
 * service started itself included; `inFlightOfApplication` counts the ones that calls of the application started, over all
 * its connections. First an equal job in flight is answered with, then a scan of another window makes the connection busy,
 * then the limit counts: so asking again for what is under way never fails for the limit.
 *
 * A continuation is a scan of the window that it continues. Source: service description, part 4, requestRefresh.
 */
export function decideRefresh<Job extends { readonly target: ReadTarget }>(
  inFlight: readonly Job[],
  request: ReadTarget,
  inFlightOfApplication: number,
): RefreshDecision<Job> {
  const job = inFlight.find(({ target }) => isSameTarget(target, request));
  if (job !== undefined) return { outcome: "existing", job };
  const refusal = checkScanBusy(inFlight, request) ?? checkInFlightReadJobs(inFlightOfApplication);
  return refusal === null ? { outcome: "create" } : { outcome: "refused", violation: refusal };
}

function checkScanBusy(inFlight: readonly { readonly target: ReadTarget }[], request: ReadTarget): Refusal | null {
  if (request.kind !== "SCAN" || !inFlight.some(({ target }) => target.kind === "SCAN")) return null;
  return refuse("SYNC_WINDOW_BUSY", "a scan of another window is in flight");
}

/** RATE_LIMITED when the application has 20 read jobs in flight. Source: service description, parts 4 and 8. */
export function checkInFlightReadJobs(inFlightOfApplication: number): Refusal | null {
  if (inFlightOfApplication < LIMITS.inFlightReadJobs) return null;
  return refuse(
    "RATE_LIMITED",
    `${LIMITS.inFlightReadJobs} read jobs in flight are the limit`,
    LIMITS.inFlightReadJobsRetryAfterSeconds,
  );
}

function isSameTarget(a: ReadTarget, b: ReadTarget): boolean {
  if (a.kind === "SCAN") return b.kind === "SCAN" && sameWindow(a.window, b.window);
  if (a.kind === "METRICS") return b.kind === "METRICS" && a.providerContentId === b.providerContentId;
  return b.kind === "LOOKUP" && a.lookup.kind === b.lookup.kind && a.lookup.value === b.lookup.value;
}
