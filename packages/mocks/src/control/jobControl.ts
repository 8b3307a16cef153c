import {
  type JobErrorCode,
  type JobStatus,
  SCAN_INCOMPLETE_REASONS,
  type ScanIncompleteReason,
} from "@social-connect/contract";
import { isInFlight, isReadKind, type JobKind, PROVIDER_TRAITS, type ReadJobKind } from "@social-connect/domain";
import { endRevoke } from "../modules/disconnect/disconnectJobs.ts";
import { grantOfConnection, providerGrantOf } from "../modules/grants/grants.ts";
import { claim, retryLater } from "../modules/jobs/jobAttempt.ts";
import { READS, recordRead } from "../modules/jobs/runRead.ts";
import { storedPosts } from "../modules/jobs/storeContent.ts";
import { cursorAfter } from "../providers/listing.ts";
import { runStep } from "../scheduler/runScheduled.ts";
import { failure } from "../state/providerCall.ts";
import type { Job } from "../state/state.ts";
import { accountOf, visibilityFor } from "../upstream/grants.ts";
import { type Duration, durationMs } from "../util/duration.ts";
import { found, MockMisuseError, notNow, oneOf } from "../util/misuse.ts";
import type { World } from "../world/world.ts";
import { fieldsOf } from "./fields.ts";

/** The state of a job. */
export interface JobView {
  /** The id in `syncJob`, unless it is a background job. */
  readonly id: string;
  /** What the job does. */
  readonly kind: JobKind;
  /** The status in `syncJob`. */
  readonly status: JobStatus;
  /** Set when it FAILED. */
  readonly errorCode: JobErrorCode | null;
  /** ISO 8601 in UTC, while it waits for a retry. */
  readonly nextRetryAt: string | null;
  /** Its connection, which may be erased. */
  readonly connectionId: string;
  /** Started by the service, not by a caller. */
  readonly background: boolean;
}

const READ_FAILURES = [
  "UPSTREAM_UNAVAILABLE",
  "UPSTREAM_RATE_LIMITED",
  "RECONNECT_REQUIRED",
  "AUTHORIZATION_SUSPENDED",
  "CAPABILITY_UNAVAILABLE",
] as const;

const OTHER_FAILURES: Readonly<Record<Exclude<JobKind, ReadJobKind>, readonly JobErrorCode[]>> = {
  RECHECK: [],
  REVOKE: ["REVOKE_REJECTED"],
  ERASE: [],
};

/** The errorCodes of a FAILED job of a kind. */
function failuresOf(kind: JobKind): readonly JobErrorCode[] {
  return isReadKind(kind) ? [...READ_FAILURES, ...READS[kind].failures] : OTHER_FAILURES[kind];
}

const MOST_STEPS = 10_000;

/** Controls a job in place of the service's workers. */
export class JobControl {
  readonly #world: World;
  readonly #id: string;

  constructor(world: World, id: string) {
    this.#world = world;
    this.#id = id;
    this.#job();
  }

  /** The current state of the job. */
  get state(): JobView {
    return viewOf(this.#job());
  }

  /** A worker starts it: QUEUED becomes RUNNING, until the clock advances or the test continues. */
  start(): JobView {
    const job = this.#inFlight("be started");
    if (job.status !== "QUEUED") throw this.#notNow(job, "be started");
    runStep(this.#world, job);
    return this.state;
  }

  /** Runs it until it ends or waits for a retry. */
  run(): JobView {
    const job = this.#inFlight("be run");
    for (let steps = 0; steps < MOST_STEPS; steps += 1) {
      runStep(this.#world, job);
      if (job.run === null) break;
    }
    return this.state;
  }

  /**
   * Runs it without provider faults. A scan can stop early, with the posts that it has read until then:
   * `succeed({ incompleteReason: "MAX_ITEMS_REACHED" })`.
   */
  succeed(options: { readonly incompleteReason?: ScanIncompleteReason } = {}): JobView {
    const job = this.#inFlight("succeed");
    const { incompleteReason } = fieldsOf(options, { incompleteReason: SCAN_INCOMPLETE_REASONS });
    if (incompleteReason !== undefined && job.kind !== "SCAN") {
      throw new MockMisuseError(`Only a scan can stop early. This is a ${job.kind} job.`);
    }
    this.#withoutFaults(() => this.run());
    if (job.status !== "SUCCEEDED") throw this.#notNow(job, "succeed");
    if (incompleteReason !== undefined) this.#cutShort(job, incompleteReason);
    return this.state;
  }

  /** The job ends FAILED with this code. */
  fail(errorCode: JobErrorCode = "UPSTREAM_UNAVAILABLE"): JobView {
    const job = this.#inFlight("fail");
    const possible = job.kind === "REVOKE" && !PROVIDER_TRAITS[job.provider].canRevoke ? [] : failuresOf(job.kind);
    if (possible.length === 0) {
      throw new MockMisuseError(
        `A ${job.kind} job cannot fail at ${job.provider}. Possible now: ${this.#possible(job).join(", ")}.`,
      );
    }
    oneOf(errorCode, possible, `errorCode of a ${job.kind} job`);
    this.#toRunning(job);
    if (job.kind === "REVOKE") {
      endRevoke(this.#world, job, "rejected");
    } else if (errorCode === "RECONNECT_REQUIRED") {
      recordRead(this.#world, job, { outcome: "interrupted", fault: failure("grant_gone") });
    } else {
      const deleted = errorCode === "CONTENT_NOT_FOUND" && job.targetContentId !== null ? [job.targetContentId] : [];
      recordRead(this.#world, job, { outcome: "failed", errorCode, deleted });
    }
    return this.state;
  }

  /** The job waits for a retry: QUEUED with nextRetryAt, by default in a minute. */
  retryLater(after: Duration = "1m"): JobView {
    const job = this.#inFlight("be retried");
    const at = new Date(this.#world.nowMs() + durationMs(after));
    this.#toRunning(job);
    retryLater(this.#world, job, { at, failures: job.failures + 1, waitReason: "PROVIDER_UNAVAILABLE" });
    return this.state;
  }

  #job(): Job {
    return found(this.#world.state.jobs, this.#id, "job");
  }

  #inFlight(wanted: string): Job {
    this.#world.catchUp();
    const job = this.#job();
    if (!isInFlight(job.status)) throw this.#notNow(job, wanted);
    return job;
  }

  #toRunning(job: Job): void {
    if (job.status === "QUEUED") claim(this.#world, job);
    job.dueAtMs = null;
  }

  #withoutFaults(work: () => void): void {
    const { providers } = this.#world.state;
    const { faults } = providers;
    providers.faults = [];
    try {
      work();
    } finally {
      providers.faults = faults;
    }
  }

  /** Keeps the newer half of the posts, and a cursor to the rest. */
  #cutShort(job: Job, reason: ScanIncompleteReason): void {
    const { state } = this.#world;
    const connection = state.connections.get(job.connectionId);
    const grant = grantOfConnection(this.#world, job.connectionId);
    const posts = state.content.get(job.connectionId);
    if (!connection || !grant || !posts || job.window === null) return;
    const read = storedPosts(this.#world, job.connectionId, job.window);
    const retained = read.slice(0, Math.ceil(read.length / 2));
    for (const post of read.slice(retained.length)) posts.delete(post.providerContentId);
    const providerGrant = providerGrantOf(this.#world, grant);
    const account = accountOf(providerGrant);
    const all = this.#world.posts.of(account, state.providers);
    Object.assign(job, {
      completeForWindow: false,
      incompleteReason: reason,
      itemsObserved: retained.length,
      listingCursor: cursorAfter(
        account,
        all,
        visibilityFor(providerGrant, all),
        retained.at(-1)?.providerContentId ?? null,
      ),
    });
    connection.syncStatus = "PARTIAL";
    connection.scanErrorCode = null;
  }

  #notNow(job: Job, wanted: string): MockMisuseError {
    return notNow(`${job.kind} job`, job.status, wanted, this.#possible(job));
  }

  #possible({ kind, status }: Job): readonly string[] {
    if (!isInFlight(status)) return [];
    const start = status === "QUEUED" ? ["start"] : [];
    const fail = failuresOf(kind).length === 0 ? [] : ["fail"];
    return [...start, "run", "succeed", ...fail, "retryLater"];
  }
}

export function viewOf(job: Job): JobView {
  const { id, kind, status, errorCode, connectionId, background } = job;
  return { id, kind, status, errorCode, nextRetryAt: job.nextRetryAt?.toISOString() ?? null, connectionId, background };
}
