import { createContext, Script } from "node:vm";
import { analyse } from "scslre";
import { expect, test } from "vitest";
import { leastCpuMs } from "../../packages/testkit/src/cpuTime.ts";
import { hostileTexts, MEBIBYTE, nearMatches, repeated } from "./hostileTexts.ts";
import { findRegularExpressions } from "./regularExpressions.ts";

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
const texts = hostileTexts(MEBIBYTE);

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
  const measured = found.filter((one) => one.place.startsWith(`${folder}/`) && !(nameOf(one) in EXCEPTIONS));
  const slow = measured.flatMap(({ place, text, expression }) => {
    if (expression === null) return [];
    const own = nearMatches(expression).map((unit) => repeated(unit, MEBIBYTE));
    return [...texts, ...own].flatMap((hostile) => {
      const ms = cpuMsOf(expression, hostile);
      return ms < BOUND_MS ? [] : [`${place} ${text}: ${ms} ms for ${JSON.stringify(hostile.slice(0, 40))}…`];
    });
  });
  expect(slow).toEqual([]);
});

/** Positive control: what the measurement is for. */
test.each([/\/+$/, /<b>.*<\/b>/, /(?:a+)+$/])("measures that %s is not linear", (expression) => {
  const own = nearMatches(expression).map((unit) => repeated(unit, MEBIBYTE));
  expect(own.some((hostile) => cpuMsOf(expression, hostile) > BOUND_MS)).toBe(true);
});

const sandbox: { expression: RegExp; text: string } = { expression: /a/, text: "" };
const context = createContext(sandbox);
const scripts = { first: new Script("expression.exec(text)"), all: new Script('text.replace(expression, "")') };

function cpuMsOf(expression: RegExp, text: string): number {
  Object.assign(sandbox, { expression, text });
  const script = expression.global ? scripts.all : scripts.first;
  try {
    return leastCpuMs(() => {
      expression.lastIndex = 0;
      script.runInContext(context, { timeout: HOPELESS_MS });
    }, BOUND_MS);
  } catch (error) {
    // An error of another realm is not an instance of this realm's Error.
    if ((error as { code?: unknown }).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return Number.POSITIVE_INFINITY;
    throw error;
  }
}
