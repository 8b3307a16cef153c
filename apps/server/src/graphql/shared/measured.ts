import type { RequestRecord } from "../../platform/log/telemetry.ts";

/** Adds to a request's work how long `work` keeps the process from other requests: until it returns, or waits. */
export function measured<Result>(record: RequestRecord, work: () => Result): Result {
  const beganAt = performance.now();
  try {
    return work();
  } finally {
    record.workMs += performance.now() - beganAt;
  }
}
