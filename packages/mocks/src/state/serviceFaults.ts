import type { AdminErrorCode, ErrorCode } from "@social-connect/contract";

/** Malformed responses: an HTML page, truncated JSON, an empty body, or JSON of another shape. */
export const MALFORMED_KINDS = ["not-json", "truncated", "empty", "wrong-shape"] as const;
/** Type of a malformed response. */
export type MalformedKind = (typeof MALFORMED_KINDS)[number];

/** The effect of a fault on one request. */
export interface ServiceFault {
  /** The operation fails with this code and has no effect. */
  readonly code?: ErrorCode | AdminErrorCode;
  /** With `code`: seconds until a retry, an integer. */
  readonly retryAfterSeconds?: number;
  /** HTTP status of a proxy, with a body that is not GraphQL; the operation has no effect. */
  readonly status?: number;
  /** Delay of the response in milliseconds of the mock's clock. */
  readonly delayMs?: number;
  /** Closes the connection without a response, before or after the operation runs. */
  readonly drop?: "before" | "after";
  /** The operation runs, and its response is malformed. */
  readonly malformed?: MalformedKind;
}

export interface ServiceFaultRule {
  readonly id: string;
  readonly operation: string;
  readonly fault: ServiceFault;
  /** Remaining uses; null for no limit. */
  left: number | null;
  /** Probability of each use, from 0 to 1. */
  readonly probability: number;
}

/** Matches every operation. */
export const ANY_OPERATION = "*";
