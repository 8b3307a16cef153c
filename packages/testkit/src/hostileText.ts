/** Text on which a parser with worse than linear time is slow: one unit, repeated, with an end that does not fit. */
import fc from "fast-check";
import { leastCpuMs } from "./cpuTime.ts";
import { SWEEPS_ALL } from "./sweep.ts";

const MEBIBYTE = 1_048_576;
/** A pattern that is anchored to the end fails on it, and then retries from every position. */
const MISFIT = "\u0001";
/** About what `yardstick` takes on two cores of an AMD EPYC, where a mebibyte may take 100 ms. A slower machine has more time. */
const YARDSTICK_MS = 18;
const BOUND_MS = 100;
/** How many random texts each parser gets. Each run draws others. */
const RUNS = SWEEPS_ALL ? 30 : 3;

const UNIT = fc.oneof(
  fc.string({ unit: "binary", minLength: 1, maxLength: 8 }),
  fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 8 }),
  fc.constantFrom(
    "\ud800",
    " ",
    "[",
    '{"a":',
    "a=1&",
    "a=1; ",
    "%41",
    "&amp;",
    "//",
    "../",
    "a:b@",
    "://",
    "1.",
    "\\u0041",
  ),
  fc.constantFrom("Bearer a", "scadm_", "xn--", "2026-01-01T00:00:00Z", "PT1", 'rel="next", ', "\r\n"),
);

/** Fails for a text of 1 MiB that takes a parser longer than 100 ms, or that it refuses by accident. */
export function expectLinearTime(parser: (text: string) => unknown): void {
  boundMs ??= measureBoundMs();
  const run = (text: string) => {
    try {
      parser(text);
    } catch (error) {
      // A parser may refuse its text; these show that it was called wrongly, or that the text reached what it must not.
      const isAccident = error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError;
      // Without its cause: Node's errors repeat the text.
      if (isAccident) throw new Error(`${error.name}: ${error.message.slice(0, 200)}`);
    }
  };
  run("a");
  const takesLinearTime = (unit: string) => {
    const text = unit.repeat(Math.ceil(MEBIBYTE / unit.length)).slice(0, MEBIBYTE) + MISFIT;
    const isFast = () => leastCpuMs(() => run(text), Number(boundMs)) < Number(boundMs);
    if (isFast()) return true;
    // The machine may have become slower since.
    boundMs = measureBoundMs();
    return isFast();
  };
  fc.assert(fc.property(UNIT, takesLinearTime), { numRuns: RUNS });
}

/** Measured once in a process. */
let boundMs: number | undefined;

function measureBoundMs(): number {
  return BOUND_MS * Math.max(1, leastCpuMs(yardstick, YARDSTICK_MS) / YARDSTICK_MS);
}

/** Fixed work of the kind that parsers do. */
function yardstick(): unknown {
  return JSON.stringify("\ud800".repeat(MEBIBYTE / 4)).replace(/\\u(\w{4})/g, "$1").length;
}
