import type { Service } from "../service.ts";
import type { Sweep, SweepRun } from "./sweep.ts";
import { BATCH_SIZE } from "./sweep.ts";

/** Due rows are counted up to here: beyond, only that there are more matters. */
const MOST_COUNTED = 100_000;
/** A batch that fails, for example at the statement timeout, is retried with a quarter of its rows. */
const SHRINK = 4;

type Outcome = "succeeded" | "unfinished" | { readonly error: unknown };

interface Progress {
  readonly sweep: Sweep;
  readonly run: SweepRun;
  limit: number;
  handled: number;
}

/**
 * Runs sweeps in turns of one batch, so that none delays another by more than that. A sweep that fails does not stop the others and starts
 * again in the next round. Stores for each when it last succeeded and how much is left. Returns false when `hasTime`
 * turned false before everything was done.
 */
export async function runSweeps(
  service: Service,
  sweeps: readonly Sweep[],
  hasTime: () => boolean = () => true,
): Promise<boolean> {
  const now = await service.clock.now();
  let active = sweeps.map((sweep): Progress => {
    return { sweep, run: sweep.begin(service, now), limit: sweep.batchSize ?? BATCH_SIZE, handled: 0 };
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
  const { sweep, run, limit } = progress;
  try {
    const { handled, isLast } = await run.batch(limit);
    progress.handled += handled;
    if (!isLast) return true;
    service.logger.debug({ sweep: sweep.name, handled: progress.handled }, "swept");
    await store(service, progress, "succeeded");
    return false;
  } catch (error) {
    if (limit >= SHRINK) {
      progress.limit = Math.floor(limit / SHRINK);
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

/** The error's kind. Its message may quote data. */
function labelOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const code = "code" in error && typeof error.code === "string" ? ` ${error.code}` : "";
  return `${error.name}${code}`;
}
