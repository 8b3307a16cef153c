import { createContext, Script } from "node:vm";
import { analyse } from "scslre";
import { expect, test } from "vitest";
import { leastCpuMs } from "../../packages/testkit/src/cpuTime.ts";
import { SWEEPS_ALL } from "../../packages/testkit/src/sweep.ts";
import { MEBIBYTE, nearMatches, repeated, SMALL, UNITS } from "./hostileTexts.ts";
import { type FoundExpression, findRegularExpressions } from "./regularExpressions.ts";

/** Threat 55: linear time for any text from outside. */
const BOUND_MS = 100;
/** An expression that takes so much CPU time is not linear, and is ended. */
const HOPELESS_MS = 250;

const FOLDERS = [
  ...["apps/server", "apps/simulator", "packages/domain", "packages/contract", "packages/sdk-core", "packages/sdk"],
  ...["packages/transport", "packages/provider-fixtures", "packages/admin-sdk", "packages/mocks"],
];

/** Expressions that are not fed hostile text, by the end of their file's path and their text, and why that is sound. */
const EXCEPTIONS: Readonly<Record<string, string>> = {};

const found = findRegularExpressions(FOLDERS);
const nameOf = ({ place, text }: { place: string; text: string }) => `${place.replace(/:\d+$/, "")} ${text}`;

test("finds the expressions in every folder, and every exception still exists", () => {
  for (const folder of FOLDERS.filter((name) => name !== "packages/contract")) {
    expect(found.filter(({ place }) => place.startsWith(`${folder}/`)).length, folder).toBeGreaterThan(0);
  }
  const names = found.map(nameOf);
  expect(Object.keys(EXCEPTIONS).filter((name) => !names.includes(name))).toEqual([]);
  for (const reason of Object.values(EXCEPTIONS)) expect(reason.length).toBeGreaterThan(40);
});

test("every expression is a constant or an exception", () => {
  expect(found.filter((one) => one.expression === null && !(nameOf(one) in EXCEPTIONS))).toEqual([]);
});

test("no expression moves through, or trades, a repetition in quadratic or exponential time", () => {
  const risky = found.flatMap((one) => {
    if (one.expression === null || nameOf(one) in EXCEPTIONS) return [];
    const { reports } = analyse({ source: one.expression.source, flags: one.expression.flags });
    return reports.length === 0 ? [] : [`${one.place} ${one.text}: ${reports.map(({ type }) => type).join(", ")}`];
  });
  expect(risky).toEqual([]);
});

test.each(FOLDERS)("every expression of %s takes 1 MiB of hostile text in under 100 ms", (folder) => {
  const measured = new Map<string, FoundExpression & { readonly expression: RegExp }>();
  for (const one of found.filter(({ place }) => place.startsWith(`${folder}/`))) {
    const { expression } = one;
    if (expression !== null && !(nameOf(one) in EXCEPTIONS)) measured.set(String(expression), { ...one, expression });
  }
  const slow = [...measured.values()].flatMap(({ place, text, expression }) => {
    const unit = slowUnitOf(expression);
    return unit === null ? [] : [`${place} ${text}: slow for ${JSON.stringify(unit)}…`];
  });
  expect(slow).toEqual([]);
});

/** Positive control: what the measurement is for. */
test.each([/\/+$/, /<b>.*<\/b>/, /(?:a+)+$/])("measures that %s is not linear", (expression) => {
  expect(slowUnitOf(expression)).not.toBeNull();
});

const SMALL_TEXTS = UNITS.map((unit) => repeated(unit, SMALL));

/**
 * A unit whose repetition takes the expression too long. A thirty-second of each text is measured first: what is not
 * linear shows there. The whole text is measured of the slowest unit, or of every unit in a sweep.
 */
function slowUnitOf(expression: RegExp): string | null {
  const near = nearMatches(expression);
  const units = [...UNITS, ...near];
  const texts = [...SMALL_TEXTS, ...near.map((unit) => repeated(unit, SMALL))];
  const times = cpuMsOf(expression, texts, BOUND_MS / 4);
  const slowest = Math.max(...times);
  const unit = units[times.indexOf(slowest)] as string;
  if (slowest >= BOUND_MS / 4) return unit;
  const whole = SWEEPS_ALL ? units : [unit];
  return (
    whole.find((one) => cpuMsOf(expression, [repeated(one, MEBIBYTE)], BOUND_MS).some((ms) => ms >= BOUND_MS)) ?? null
  );
}

interface Measured {
  readonly expression: RegExp;
  readonly texts: readonly string[];
  readonly measure: (run: () => unknown) => number;
}
const sandbox = {} as Measured;
const context = createContext(sandbox);
const script = new Script(`texts.map((text) => measure(() => {
  expression.lastIndex = 0;
  return expression.global ? text.replace(expression, "") : expression.exec(text);
}))`);

function cpuMsOf(
  expression: RegExp,
  texts: readonly string[],
  enoughMs: number,
  timeout = 2 * HOPELESS_MS,
): readonly number[] {
  Object.assign(sandbox, { expression, texts, measure: (run) => leastCpuMs(run, enoughMs) } satisfies Measured);
  const before = process.cpuUsage();
  try {
    return script.runInContext(context, { timeout });
  } catch (error) {
    // An error of another realm is not an instance of this realm's Error.
    if ((error as { code?: unknown }).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
  }
  const { user, system } = process.cpuUsage(before);
  // A busy machine may have run something else in this time.
  if (user + system < HOPELESS_MS * 1_000) return cpuMsOf(expression, texts, enoughMs, 2 * timeout);
  if (texts.length === 1) return [Number.POSITIVE_INFINITY];
  const times: number[] = [];
  for (const text of texts) {
    times.push(...cpuMsOf(expression, [text], enoughMs));
    if (times.at(-1) === Number.POSITIVE_INFINITY) break;
  }
  return times;
}
