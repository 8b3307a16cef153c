import type { WireAnswer } from "./call.ts";

/** The result of a call: its value, or the first error's code and extensions. */
export type Outcome<Value> = { readonly ok: true; readonly value: Value; readonly answer: WireAnswer } | Failure;

export interface Failure {
  readonly ok: false;
  readonly code: string;
  /** Of the admin API, if any. */
  readonly reason: string | null;
  readonly message: string;
  readonly retryAfterSeconds: number | null;
  readonly answer: WireAnswer;
}

/** The result of the operation under a response key. */
export function outcomeOf<Value>(answer: WireAnswer, key: string): Outcome<Value> {
  const [error] = answer.body?.errors ?? [];
  if (error === undefined && answer.body !== null) return { ok: true, value: answer.body.data?.[key] as Value, answer };
  return {
    ok: false,
    code: error?.extensions?.code ?? `HTTP ${answer.status} without a code`,
    reason: error?.extensions?.reason ?? null,
    message: error?.message ?? answer.text.slice(0, 200),
    retryAfterSeconds: error?.extensions?.retryAfterSeconds ?? null,
    answer,
  };
}
