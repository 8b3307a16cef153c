/** One request to the API as the log keeps it: no key, token or proof is in it. */
export interface RecordedCall {
  /** Counted from 1. */
  readonly number: number;
  /** When it was answered or cut off, by the mock's clock. */
  readonly at: Date;
  /** The operation that was asked for, the first where a document holds several; null where there was none to be found. */
  readonly operation: string | null;
  /** Which of the two APIs it went to. */
  readonly api: "consumer" | "admin";
  /** Its arguments, secrets replaced by `[redacted]`. */
  readonly arguments: unknown;
  /** `OK`, the code of the first error, or what a fault did instead of an answer. */
  readonly outcome: string;
  /** null where the connection was cut. */
  readonly httpStatus: number | null;
  /** Application that called; null where the key was not good, or none was needed. */
  readonly applicationId: string | null;
  /** As in the errors of its answer; null where there were none. */
  readonly correlationId: string | null;
}
