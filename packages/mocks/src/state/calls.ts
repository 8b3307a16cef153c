/** A request in the call log, without keys, tokens and proofs. */
export interface RecordedCall {
  /** Counted from 1. */
  readonly number: number;
  /** When the response was sent or the connection closed, by the mock's clock. */
  readonly at: Date;
  /** The requested operation, the first of several in a document; null when none could be parsed. */
  readonly operation: string | null;
  /** The API that received it. */
  readonly api: "consumer" | "admin";
  /** The arguments, with `[redacted]` in place of secrets. */
  readonly arguments: unknown;
  /** `OK`, the code of the first error, or the effect of a fault. */
  readonly outcome: string;
  /** null when the connection was closed without a response. */
  readonly httpStatus: number | null;
  /** The calling application; null for an invalid key, and for operations without a key. */
  readonly applicationId: string | null;
  /** The correlationId of the errors; null without errors. */
  readonly correlationId: string | null;
}
