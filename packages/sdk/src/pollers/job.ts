import {
  type ApiCall,
  apiCall,
  type CallOptions,
  type ResponseInfo,
  shapeError,
  type WithResponse,
} from "@social-connect/sdk-core";
import type { SubjectScope, SyncJob } from "../_generated/types.ts";
import type { SettledJob, SettledLookup } from "../types/settled.ts";
import { exchange } from "../wire/call.ts";
import type { Settings } from "../wire/settings.ts";
import { Poller } from "./poller.ts";
import { JOB_INTERVAL } from "./pollInterval.ts";
import type { SavedPoller } from "./saved.ts";

const UNFINISHED: readonly string[] = ["QUEUED", "RUNNING"];

type JobKind = "job" | "refresh" | "lookup";

export interface JobContext {
  readonly settings: Settings;
  readonly scope: SubjectScope;
  readonly connectionId: string;
}

/** The job's id, or the request that starts it. */
export type JobOrigin =
  | { readonly id: string }
  | { readonly start: (options: CallOptions) => Promise<WithResponse<SyncJob>> };

/**
 * Follows one job. A refresh or lookup is sent once, with the first poll or by `start()`, even when several callers
 * poll concurrently. A failed start is retried by the next poll.
 */
export class JobPoller<Settled extends SyncJob = SettledJob> extends Poller<SyncJob, Settled> {
  readonly #job: { id: string | undefined };
  readonly #saved: { readonly kind: JobKind; readonly scope: SubjectScope; readonly connectionId: string };

  constructor(context: JobContext, origin: JobOrigin, kind: JobKind, settled: (job: SyncJob) => Settled | undefined) {
    const { settings, scope, connectionId } = context;
    const known = { id: "id" in origin ? origin.id : undefined };
    super(settings, {
      operation: "syncJob",
      read: async (options) => {
        if (known.id !== undefined || "id" in origin)
          return exchange(settings, "syncJob", { scope, connectionId, id: known.id ?? "" }, options);
        const started = await origin.start(options);
        known.id = started.data.id;
        return started;
      },
      settled,
      unfinished: (job) => UNFINISHED.includes(job.status),
      interval: JOB_INTERVAL,
    });
    this.#job = known;
    this.#saved = { kind, scope, connectionId };
  }

  /** The job's id once it is started. */
  get id(): string | undefined {
    return this.#job.id;
  }

  /**
   * Starts the job and returns its id without waiting for the result. Sends nothing if the job already has an id:
   * `withResponse()` then has no response.
   */
  start(options?: CallOptions): ApiCall<string, ResponseInfo | undefined> {
    return apiCall(async () => {
      if (this.id !== undefined) return { data: this.id, response: undefined };
      const { data, response } = await this.poll(options).withResponse();
      return { data: data.id, response };
    });
  }

  /** Ids only, for `SocialConnect.resume`. */
  toJSON(): SavedPoller<JobKind> {
    return { ...this.#saved, id: this.id ?? null };
  }
}

export function settledJob(job: SyncJob): SettledJob | undefined {
  // Typed as string, so that a comparison narrows the type.
  const status: string = job.status;
  if (status === "SUCCEEDED") return { ...job, status };
  return status === "FAILED" || status === "CANCELED" ? { ...job, status } : undefined;
}

export function settledLookup(job: SyncJob): SettledLookup | undefined {
  const settled = settledJob(job);
  if (settled?.status !== "SUCCEEDED") return settled;
  const { resultProviderContentId } = settled;
  if (resultProviderContentId !== null) return { ...settled, resultProviderContentId };
  throw shapeError("syncJob", "A successful lookup has no post id.");
}
