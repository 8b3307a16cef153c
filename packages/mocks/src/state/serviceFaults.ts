import type { AdminErrorCode, ErrorCode } from "@social-connect/contract";

/** How an answer is spoiled: a page in place of JSON, JSON that breaks off, nothing at all, or JSON of another shape. */
export const MALFORMED_KINDS = ["not-json", "truncated", "empty", "wrong-shape"] as const;
/** One way in which an answer is spoiled. */
export type MalformedKind = (typeof MALFORMED_KINDS)[number];

/** What becomes of one request; everything that is not named goes as usual. */
export interface ServiceFault {
  /** The operation fails with this code, and nothing of it is done. */
  readonly code?: ErrorCode | AdminErrorCode;
  /** Beside `code`: whole seconds after which trying again helps. */
  readonly retryAfterSeconds?: number;
  /** An HTTP status from in front of the service, with a body that is no GraphQL; nothing is done. */
  readonly status?: number;
  /** The answer comes so much later, in milliseconds of the mock's clock. */
  readonly delayMs?: number;
  /** The connection is cut before anything is done, or after all of it is done and before the answer. */
  readonly drop?: "before" | "after";
  /** All of it is done, and the answer cannot be read. */
  readonly malformed?: MalformedKind;
}

export interface ServiceFaultRule {
  readonly id: string;
  readonly operation: string;
  readonly fault: ServiceFault;
  /** How often it is still to be played; null without end. */
  left: number | null;
  /** How likely it is to be played, from 0 to 1. */
  readonly probability: number;
}

/** Stands for every operation. */
export const ANY_OPERATION = "*";
