import type { Worker } from "node:cluster";
import { setTimeout } from "node:timers/promises";
import { mergeMetrics } from "../../observability/mergeMetrics.ts";
import type { Operations, ProcessOperations } from "../../observability/operations.ts";

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
export function answerSupervisor({ metrics, isReady }: ProcessOperations): void {
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

/**
 * Metrics and readiness of all processes: one port cannot be scraped for each of them, because a connection goes to any.
 * `processes`: by the value of the label `process`.
 */
export function operationsOf(processes: () => ReadonlyMap<string, Worker>): Operations {
  let questions = 0;
  const ask = async (worker: Worker, asked: Omit<Question, "question">): Promise<Answer | null> => {
    const question = ++questions;
    const stop = new AbortController();
    const answered = new Promise<Answer>((resolve) => {
      const listener = (message: Partial<Answer>) => message.answer === question && resolve(message as Answer);
      worker.on("message", listener);
      stop.signal.addEventListener("abort", () => worker.off("message", listener));
    });
    if (worker.isConnected()) worker.send({ question, ...asked } satisfies Question);
    const late = setTimeout(ANSWER_MS, null, { signal: stop.signal }).catch(() => null);
    return Promise.race([answered, late]).finally(() => stop.abort());
  };
  return {
    metrics: async () => {
      const texts = [...processes()].map(async ([process, worker], index) => {
        const answer = await ask(worker, { about: "metrics", withState: index === 0 });
        return answer === null ? [] : [{ process, text: answer.metrics }];
      });
      return mergeMetrics((await Promise.all(texts)).flat());
    },
    isReady: async () => {
      const answers = [...processes().values()].map((each) => ask(each, { about: "readiness", withState: false }));
      return (await Promise.all(answers)).some((answer) => answer?.isReady === true);
    },
  };
}
