import { pause } from "@social-connect/sdk-core";
import type { SyncJob } from "../_generated/types.ts";
import type { SettledJob } from "../types/settled.ts";
import { exchange } from "../wire/call.ts";
import { type JobContext, type JobOrigin, JobPoller, settledJob } from "./job.ts";
import type { WaitOptions, WatchOptions } from "./poller.ts";
import { JOB_INTERVAL, nextPollDelayMs } from "./pollInterval.ts";
import type { SavedPoller } from "./saved.ts";

/** The result of a scan and its continuations. */
export interface ScanSummary {
  /** The last job: SUCCEEDED, or the job at which it stopped. */
  readonly last: SettledJob;
  /** Every job in order, the first included. */
  readonly jobs: readonly SettledJob[];
  /** Whether the whole window has been covered. */
  readonly complete: boolean;
  /** The window of the scan, to read its posts with; undefined for the default window, which the service chooses. */
  readonly window: CoveredWindow | undefined;
}

/** The window of a scan, as strings. */
export interface CoveredWindow {
  /** ISO 8601. */
  readonly publishedAfter: string;
  /** ISO 8601. */
  readonly publishedBefore: string;
}

interface RefreshState {
  readonly continuations?: readonly string[] | undefined;
  readonly window?: CoveredWindow | undefined;
}

/** Follows a refresh: a scan of a window, or a new read of one post's metrics. */
export class RefreshPoller extends JobPoller {
  /** The window of the scan, to read its posts with; undefined for the default window and for one post. */
  readonly window: CoveredWindow | undefined;
  readonly #context: JobContext;
  /** The scans that continued from this scan, stored so that each is started once. */
  readonly #continuations: JobPoller[];

  constructor(context: JobContext, origin: JobOrigin, { continuations = [], window }: RefreshState = {}) {
    super(context, origin, "refresh", settledJob);
    this.window = window;
    this.#context = context;
    this.#continuations = continuations.map((id) => new JobPoller(context, { id }, "job", settledJob));
  }

  /**
   * Waits for the scan, and continues from its cursor while it ends incomplete. The options, including `onProgress`,
   * apply to all scans. Ends at the first failed job, or when the service returns no new cursor.
   */
  async scanAll(options: WaitOptions<SyncJob> = {}): Promise<ScanSummary> {
    const jobs: SettledJob[] = [];
    const cursors = new Set<string | null>();
    let atOnce = 0;
    let scan: JobPoller = this;
    for (;;) {
      const isKnown = scan.id !== undefined;
      const { job, states } = await settle(scan, options);
      jobs.push(job);
      // A repeated cursor would never end.
      const isTurning = cursors.has(job.continuationCursor);
      cursors.add(job.continuationCursor);
      const next = this.#continuations[jobs.length - 1] ?? (isTurning ? undefined : this.#continuationOf(job));
      if (next === undefined) {
        const complete = job.status === "SUCCEEDED" && job.completeForWindow === true;
        return { last: job, jobs, complete, window: this.window };
      }
      // Scans that end immediately must not follow each other without a pause.
      atOnce = states > 1 || isKnown ? 0 : atOnce + 1;
      if (atOnce > 0) await this.#pause(atOnce, options);
      scan = next;
    }
  }

  /** Ids and the window only, for `SocialConnect.resume`. */
  override toJSON(): SavedPoller<"refresh"> {
    const { scope, connectionId } = this.#context;
    const continuations = this.#continuations.flatMap(({ id }) => (id === undefined ? [] : [id]));
    const window = this.window === undefined ? {} : { window: this.window };
    return { kind: "refresh", scope, connectionId, id: this.id ?? null, continuations, ...window };
  }

  async #pause(unchanged: number, { deadline, signal }: WatchOptions): Promise<void> {
    const { clock, random } = this.#context.settings;
    const nowMs = clock.now();
    const delayMs = nextPollDelayMs({
      interval: JOB_INTERVAL,
      unchanged,
      notBeforeMs: undefined,
      nowMs,
      random: random(),
    });
    await pause(clock, Math.min(delayMs, (deadline?.getTime() ?? Number.POSITIVE_INFINITY) - nowMs), signal);
  }

  /** The scan that continues an incomplete scan. */
  #continuationOf({ status, continuationCursor }: SettledJob): JobPoller | undefined {
    if (status !== "SUCCEEDED" || continuationCursor === null) return undefined;
    const { settings, scope, connectionId } = this.#context;
    // The cursor includes its window, so no window is sent with it.
    const variables = { scope, connectionId, continuationCursor };
    const origin: JobOrigin = { start: (options) => exchange(settings, "requestRefresh", variables, options) };
    const continuation = new JobPoller(this.#context, origin, "job", settledJob);
    this.#continuations.push(continuation);
    return continuation;
  }
}

/** Waits for a scan and counts its states. */
async function settle(scan: JobPoller, options: WaitOptions<SyncJob>) {
  let states = 0;
  const onProgress = async (state: SyncJob) => {
    states += 1;
    await options.onProgress?.(state);
  };
  const job = await scan.wait({ ...options, onProgress });
  return { job, states };
}
