import { REPETITION_MS } from "@social-connect/domain";

/** The responses of the last minute to calls with an idempotency key. Not part of the state: a snapshot has none. */
export class Repetitions {
  readonly #answers = new Map<string, { readonly atMs: number; readonly answer: unknown }>();

  /** The response to the first call of the last minute; runs the first. */
  first(call: string, nowMs: number, run: () => unknown): unknown {
    for (const [known, { atMs }] of this.#answers) if (nowMs - atMs >= REPETITION_MS) this.#answers.delete(known);
    const known = this.#answers.get(call);
    if (known !== undefined) return known.answer;
    const answer = run();
    // A PENDING redeem has not used the proof.
    if (Reflect.get(Object(answer), "status") !== "PENDING") this.#answers.set(call, { atMs: nowMs, answer });
    return answer;
  }

  clear(): void {
    this.#answers.clear();
  }
}
