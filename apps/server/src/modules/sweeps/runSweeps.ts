import { databaseFault } from "../../platform/database/databaseFault.ts";
import type { Service } from "../service.ts";
import { BATCH_SIZE, type Sweep, type SweepRun } from "./sweep.ts";

/** Due rows are counted up to here: beyond, only that there are more matters. */
const MOST_COUNTED = 100_000;
/** A batch that fails, for example at the statement timeout, is retried with a quarter of its rows. */
const SHRINK = 4;
/** How many rows of a run may fail before the sweep itself does. */
const MOST_FAILED_ROWS = 20;

type Outcome = "succeeded" | "unfinished" | { readonly error: unknown };

interface Progress {
  readonly sweep: Sweep;
  readonly run: SweepRun;
  limit: number;
  handled: number;
  /** Why rows failed that the next batches skip. */
  readonly rowErrors: unknown[];
}

/**
 * Runs sweeps in turns of one batch, so that none delays another by more than that. A row that fails does not stop the others of its
 * sweep, and a sweep that fails does not stop the others and starts again in the next round. Stores for each when it last succeeded and how much is left. Returns false when `hasTime`
 * turned false before everything was done.
 */
export async function runSweeps(
  service: Service,
  sweeps: readonly Sweep[],
  hasTime: () => boolean = () => true,
): Promise<boolean> {
  const now = await service.clock.now();
  let active = sweeps.map((sweep): Progress => {
    return { sweep, run: sweep.begin(service, now), limit: batchSizeOf(sweep), handled: 0, rowErrors: [] };
  });
  while (active.length > 0 && hasTime()) {
    const unfinished: Progress[] = [];
    for (const progress of active) if (await runBatch(service, progress)) unfinished.push(progress);
    active = unfinished;
  }
  for (const progress of active) await store(service, progress, "unfinished");
  return active.length === 0;
}

/** Whether the sweep has more to do in this run. */
async function runBatch(service: Service, progress: Progress): Promise<boolean> {
  const { sweep, run, limit, rowErrors } = progress;
  try {
    const { handled, isLast, rowError } = await run.batch(limit);
    progress.handled += handled;
    if (rowError !== undefined) {
      if (rowErrors.push(rowError) > MOST_FAILED_ROWS) throw rowError;
      service.logger.error({ err: rowError, sweep: sweep.name }, "a sweep could not handle a row");
    } else if (rowErrors.length > 0) {
      // The batches became small to find the row that failed.
      progress.limit = Math.min(limit * SHRINK, batchSizeOf(sweep));
    }
    if (!isLast) return true;
    service.logger.debug({ sweep: sweep.name, handled: progress.handled }, "swept");
    await store(service, progress, rowErrors.length === 0 ? "succeeded" : { error: rowErrors[0] });
    return false;
  } catch (error) {
    if (limit > 1 && rowErrors.length <= MOST_FAILED_ROWS) {
      progress.limit = Math.max(1, Math.floor(limit / SHRINK));
      service.logger.warn(
        { err: error, sweep: sweep.name, limit: progress.limit },
        "a batch failed; trying a smaller one",
      );
      return true;
    }
    service.logger.error({ err: error, sweep: sweep.name }, "a sweep failed");
    await store(service, progress, { error });
    return false;
  }
}

function batchSizeOf({ batchSize = BATCH_SIZE }: Sweep): number {
  return batchSize;
}

/** Stores how the run ended. The state is only for operators: a failure here stops no sweep. */
async function store(service: Service, { sweep, run, handled }: Progress, outcome: Outcome): Promise<void> {
  try {
    const at = await service.clock.now();
    const remaining = await run.countDue(MOST_COUNTED).catch(() => null);
    const state = { ranAt: at, handled, remaining, ...columnsOf(outcome, at) };
    const { name } = sweep;
    await service.prisma.sweepState.upsert({ where: { name }, create: { name, ...state }, update: state });
  } catch (failure) {
    service.logger.warn({ err: failure, sweep: sweep.name }, "the state of a sweep could not be stored");
  }
}

function columnsOf(outcome: Outcome, at: Date) {
  if (outcome === "unfinished") return {};
  return outcome === "succeeded" ? { succeededAt: at, error: null } : { failedAt: at, error: labelOf(outcome.error) };
}

/** The error's kind, with PostgreSQL's code if it is one of the database. Its message may quote data. */
function labelOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const code = databaseFault(error)?.state ?? ("code" in error && typeof error.code === "string" ? error.code : null);
  return code === null ? error.name : `${error.name} ${code}`;
}
