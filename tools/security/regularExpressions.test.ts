import { createContext, Script } from "node:vm";
import { analyse } from "scslre";
import { expect, test } from "vitest";
import { leastCpuMs } from "../../packages/testkit/src/cpuTime.ts";
import { SWEEPS_ALL } from "../../packages/testkit/src/sweep.ts";
import { MEBIBYTE, nearMatches, repeated, SMALL, UNITS } from "./hostileTexts.ts";
import { type FoundExpression, findRegularExpressions } from "./regularExpressions.ts";

/** Threat 55: linear time for any text from outside. */
const BOUND_MS = 100;
/** An expression that takes so long is not linear, and is ended. */
const HOPELESS_MS = 2_000;

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

/**
 * A unit whose repetition takes the expression too long. A thirty-second of each text is measured first: what is not
 * linear shows there. The whole text is measured of the slowest unit, or of every unit in a sweep.
 */
function slowUnitOf(expression: RegExp): string | null {
  const units = [...UNITS, ...nearMatches(expression)];
  const times = units.map((unit) => cpuMsOf(expression, repeated(unit, SMALL), BOUND_MS / 4));
  const slowest = Math.max(...times);
  const unit = units[times.indexOf(slowest)] as string;
  if (slowest >= BOUND_MS / 4) return unit;
  const whole = SWEEPS_ALL ? units : [unit];
  return whole.find((one) => cpuMsOf(expression, repeated(one, MEBIBYTE), BOUND_MS) >= BOUND_MS) ?? null;
}

const sandbox: { expression: RegExp; text: string } = { expression: /a/, text: "" };
const context = createContext(sandbox);
const scripts = { first: new Script("expression.exec(text)"), all: new Script('text.replace(expression, "")') };

function cpuMsOf(expression: RegExp, text: string, enoughMs: number): number {
  Object.assign(sandbox, { expression, text });
  const script = expression.global ? scripts.all : scripts.first;
  try {
    return leastCpuMs(() => {
      expression.lastIndex = 0;
      script.runInContext(context, { timeout: HOPELESS_MS });
    }, enoughMs);
  } catch (error) {
    // An error of another realm is not an instance of this realm's Error.
    if ((error as { code?: unknown }).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return Number.POSITIVE_INFINITY;
    throw error;
  }
}
