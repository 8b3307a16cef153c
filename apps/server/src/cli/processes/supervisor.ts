import cluster, { type Worker } from "node:cluster";
import { setTimeout } from "node:timers/promises";
import { mergeMetrics } from "../../observability/mergeMetrics.ts";
import { Metrics } from "../../observability/metrics.ts";
import type { Operations, ProcessOperations } from "../../observability/operations.ts";
import { droppedOutput } from "../../observability/processState.ts";
import { lineOutput } from "../../platform/log/lineOutput.ts";
import type { Logger } from "../../platform/log/logger.ts";
import { endOf, endProcess, keepRunning } from "../../platform/process/keepRunning.ts";

export interface SupervisorOptions {
  readonly processes: number;
  /** How long a process may take to stop before it is killed. */
  readonly stopTimeoutMs: number;
  readonly logger: Logger;
  /** Stops the processes, also while they start. */
  readonly signal: AbortSignal;
}

/** What a process reports once it serves. */
interface Started {
  readonly started: { readonly address: string | null };
}
/** The message that another process serves in its place. */
const REPLACED = "replaced";

const RESTART_DELAYS = { firstMs: 500, mostMs: 30_000, stableMs: 60_000 };

/** True in a process that a supervisor started. */
export const isSupervised = cluster.isWorker;

/**
 * Reports to the supervisor that this process serves, answers its questions, and calls back when another process replaced
 * it.
 */
export function reportStarted(
  { address, operations }: { readonly address: string | null; readonly operations: ProcessOperations | null },
  onReplaced: () => void,
): void {
  process.on("message", (message) => message === REPLACED && onReplaced());
  if (operations !== null) answerSupervisor(operations);
  process.send?.({ started: { address } } satisfies Started);
}

/** Starts the processes on one port and waits until each serves. Throws if one of them cannot start. */
export async function startSupervisor({ processes, stopTimeoutMs, logger, signal }: SupervisorOptions) {
  // Otherwise this process accepts the connections, and keeps a connection open whose process is killed before it takes it.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  /** Each process, with what ends its restarts. */
  const running = new Map<Worker, AbortController>();
  /** By the value of the metrics' label: the lowest free number, so that restarts add no values. */
  const numbered = new Map<string, Worker>();

  /** Starts a process, which serves when the promise resolves. Throws if it ends before. */
  async function startProcess(restarts: AbortController) {
    const worker = cluster.fork();
    running.set(worker, restarts);
    const number = lowestFree(numbered);
    numbered.set(number, worker);
    const ended = endOf(worker.process).finally(() => {
      running.delete(worker);
      numbered.delete(number);
    });
    const started = new Promise<Started["started"]>((resolve) => {
      worker.on("message", (message: Partial<Started>) => message.started && resolve(message.started));
    });
    const first = await Promise.race([started, ended]);
    if (typeof first === "string") throw new Error("a process ended before it served; its message is above");
    return { pid: worker.process.pid, address: first.address, ended };
  }

  /** Starts a process, and starts it again whenever it ends unexpectedly. */
  async function start(): Promise<{ readonly address: string | null }> {
    const restarts = new AbortController();
    const first = await startProcess(restarts);
    void keepRunning(first, {
      start: () => startProcess(restarts),
      signal: AbortSignal.any([signal, restarts.signal]),
      delays: RESTART_DELAYS,
      onEnd: (reason, { pid }) => logger.error({ pid, reason }, "a process ended unexpectedly; starting another"),
      onFailure: (error) => logger.error({ err: error }, "a process could not be started; retrying"),
    });
    return first;
  }

  function end(worker: Worker, ask?: () => unknown): Promise<void> {
    running.get(worker)?.abort();
    return endProcess(worker.process, stopTimeoutMs, ask);
  }

  const stopAll = async () => {
    await Promise.all([...running.keys()].map((worker) => end(worker)));
  };
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= stopAll();
    return stopped;
  };
  signal.addEventListener("abort", stop);

  let started: readonly { readonly address: string | null }[] = [];
  try {
    started = await Promise.all(Array.from({ length: processes }, () => start()));
  } catch (error) {
    await stop();
    if (!signal.aborted) throw error;
  }
  let restarting = Promise.resolve();
  return {
    address: started[0]?.address ?? null,
    operations: operationsOf(() => new Map([...numbered].sort(([one], [other]) => Number(one) - Number(other)))),
    /** Replaces one process after another: a new process serves before the old one stops. Stops at a new process that cannot start. */
    restart: () => {
      // A restart that failed does not prevent the next one.
      restarting = restarting
        .catch(() => undefined)
        .then(async () => {
          for (const worker of [...running.keys()]) {
            if (signal.aborted) return;
            await start();
            // Without a callback, a failed send emits an error event, which would end the supervisor.
            await end(worker, () => worker.send(REPLACED, () => undefined));
          }
        });
      return restarting;
    },
    stop,
  };
}

function lowestFree(taken: ReadonlyMap<string, unknown>): string {
  let number = 1;
  while (taken.has(String(number))) number += 1;
  return String(number);
}

/** What the supervisor asks a process. */
interface Question {
  readonly question: number;
  readonly about: "readiness" | "metrics";
  /** One process reads the metrics of the database, for all. */
  readonly withState: boolean;
}

interface Answer {
  readonly answer: number;
  readonly isReady: boolean;
  readonly metrics: string;
}

/** A process that does not answer in this time is omitted, and counts as not ready. */
const ANSWER_MS = 5_000;

/** Answers the supervisor's questions in a process. */
function answerSupervisor({ metrics, isReady }: ProcessOperations): void {
  const answer = async ({ question, about, withState }: Question): Promise<Answer> =>
    about === "readiness"
      ? { answer: question, isReady: await isReady(), metrics: "" }
      : { answer: question, isReady: true, metrics: await metrics({ withState }) };
  process.on("message", (message: Partial<Question>) => {
    if (message.question === undefined) return;
    // After a failure there is no answer, which the supervisor handles.
    void answer(message as Question).then(
      (answered) => process.send?.(answered),
      () => undefined,
    );
  });
}

/** The metrics of the supervisor itself, whose log may fail while those of the processes do not. */
async function ownMetrics(): Promise<string> {
  const metrics = new Metrics();
  metrics.observe(async () => droppedOutput({ stdout: lineOutput("stdout"), stderr: lineOutput("stderr") }));
  return metrics.text({ withState: false });
}

/**
 * Metrics and readiness of all processes: one port cannot be scraped for each of them, because a connection goes to any.
 * `processes`: by the value of the label `process`.
 */
function operationsOf(processes: () => ReadonlyMap<string, Worker>): Operations {
  let questions = 0;
  const ask = async (worker: Worker, asked: Omit<Question, "question">): Promise<Answer | null> => {
    const question = ++questions;
    const stop = new AbortController();
    const answered = new Promise<Answer>((resolve) => {
      const listener = (message: Partial<Answer>) => message.answer === question && resolve(message as Answer);
      worker.on("message", listener);
      stop.signal.addEventListener("abort", () => worker.off("message", listener));
    });
    // A killed process counts as connected until its end is noticed.
    const unreachable = new Promise<null>((resolve) => {
      worker.send({ question, ...asked } satisfies Question, (error) => error && resolve(null));
    });
    const late = setTimeout(ANSWER_MS, null, { signal: stop.signal }).catch(() => null);
    return Promise.race([answered, unreachable, late]).finally(() => stop.abort());
  };
  return {
    metrics: async () => {
      const texts = [...processes()].map(async ([process, worker], index) => {
        const answer = await ask(worker, { about: "metrics", withState: index === 0 });
        return answer === null ? [] : [{ process, text: answer.metrics }];
      });
      return mergeMetrics([...(await Promise.all(texts)).flat(), { process: "supervisor", text: await ownMetrics() }]);
    },
    // True once any process is ready: one that is starting does not answer.
    isReady: () => {
      const answers = [...processes().values()].map(async (each) => {
        const answer = await ask(each, { about: "readiness", withState: false });
        if (answer?.isReady !== true) throw new Error("it is not ready");
        return true;
      });
      return Promise.any(answers).catch(() => false);
    },
  };
}
