import { LIMITS } from "@social-connect/contract";
import { type SyncWindow, sameWindow } from "../content/window.ts";
import { badUserInput, type Refusal, refuse } from "../decisions/refusal.ts";
import type { ReadJobKind } from "./job.ts";

/** What a read job reads. Requests with the same target are the same request. */
export type ReadTarget =
  | { readonly kind: "SCAN"; readonly window: SyncWindow }
  | { readonly kind: "METRICS"; readonly providerContentId: string }
  | { readonly kind: "LOOKUP"; readonly lookup: { readonly kind: "id" | "shortcode"; readonly value: string } };

/** Reads of the service's own, which need no target. */
export type UntargetedRead = Exclude<ReadJobKind, ReadTarget["kind"]>;

export interface NewRead<Scan = never> {
  readonly target: ReadTarget | { readonly kind: UntargetedRead };
  readonly background: boolean;
  /** The scan that it continues, at the scan's position of the listing. */
  readonly continues: Scan | null;
  /** The first failure ends it. */
  readonly isSingleAttempt?: true;
}

/** BAD_USER_INPUT when a post is named together with a window or a cursor. Source: service description, part 4, requestRefresh. */
export function checkRefreshArguments(args: {
  readonly providerContentId?: string | null | undefined;
  readonly window?: unknown;
  readonly continuationCursor?: string | null | undefined;
}): Refusal | null {
  if (args.providerContentId == null || (args.window == null && args.continuationCursor == null)) return null;
  return badUserInput("`providerContentId` cannot be combined with `window` or `continuationCursor`.");
}

/**
 * Decides a request to read. `inFlight` are the connection's QUEUED and RUNNING read jobs, background reads included;
 * `inFlightOfApplication` counts the jobs that the application requested, over all its connections. An equal job in flight
 * is returned before any limit counts, so a repeated request never fails; a scan of another window makes the connection
 * busy. A continuation is a scan of the window that it continues. Source: service description, part 4, requestRefresh.
 */
export function decideRefresh<Job extends { readonly target: ReadTarget }, Scan = never>(
  inFlight: readonly Job[],
  inFlightOfApplication: number,
  request: { readonly target: ReadTarget; readonly continues?: Scan },
): Refusal | { readonly existing: Job } | { readonly create: NewRead<Scan> } {
  const { target, continues = null } = request;
  const existing = inFlight.find((job) => isSameTarget(job.target, target));
  if (existing !== undefined) return { existing };
  const refusal = checkScanBusy(inFlight, target) ?? checkInFlightReadJobs(inFlightOfApplication);
  return refusal ?? { create: { target, background: false, continues } };
}

function checkScanBusy(inFlight: readonly { readonly target: ReadTarget }[], request: ReadTarget): Refusal | null {
  if (request.kind !== "SCAN" || !inFlight.some(({ target }) => target.kind === "SCAN")) return null;
  return refuse("SYNC_WINDOW_BUSY", "A scan of another window is in progress.");
}

/** RATE_LIMITED when the application has 20 read jobs in flight. Source: service description, parts 4 and 8. */
export function checkInFlightReadJobs(inFlightOfApplication: number): Refusal | null {
  if (inFlightOfApplication < LIMITS.inFlightReadJobs) return null;
  return refuse(
    "RATE_LIMITED",
    `Too many read jobs in flight (limit ${LIMITS.inFlightReadJobs}).`,
    LIMITS.inFlightReadJobsRetryAfterSeconds,
  );
}

function isSameTarget(a: ReadTarget, b: ReadTarget): boolean {
  if (a.kind === "SCAN") return b.kind === "SCAN" && sameWindow(a.window, b.window);
  if (a.kind === "METRICS") return b.kind === "METRICS" && a.providerContentId === b.providerContentId;
  return b.kind === "LOOKUP" && a.lookup.kind === b.lookup.kind && a.lookup.value === b.lookup.value;
}
