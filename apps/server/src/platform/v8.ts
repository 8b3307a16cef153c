import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Collects garbage, which returns unused memory to the system. V8 does not do this automatically in a process that starts and then
 * is idle: it keeps what loading needed, about 60 MB. Blocks the process for some 50 ms.
 */
export function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  setFlagsFromString("--no-expose-gc");
  collect();
}

/** V8 returns the memory of a process that has little to do to the system after this time, instead of after 8 seconds. */
const REDUCED_AFTER_MS = 600_000;
/** V8 optimizes a function after this many calls, instead of after 3,000. */
const OPTIMIZED_AFTER_CALLS = 1_000;
/** V8 ignores an option that it does not know, so a test compares them with its own list. */
export const V8_OPTIONS = [
  `--gc-memory-reducer-start-delay-ms=${REDUCED_AFTER_MS}`,
  `--invocation-count-for-turbofan=${OPTIMIZED_AFTER_CALLS}`,
];

/**
 * Makes complete collections rare and optimizes early. A complete collection also discards the optimized code of functions
 * that no request is using: after a pause of 8 seconds they followed each other several times a second, and thousands of pages of
 * 50 posts took twice as long as before. With V8's own number of calls a page took a quarter longer until the process had answered
 * 15,000 requests instead of 5,000.
 */
export function setV8Options(): void {
  for (const option of V8_OPTIONS) setFlagsFromString(option);
}
