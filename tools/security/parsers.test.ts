import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";
import { leastCpuMs } from "../../packages/testkit/src/cpuTime.ts";
import { SWEEPS_ALL } from "../../packages/testkit/src/sweep.ts";
import { DOMAIN_EXCEPTIONS } from "./domainExceptions.ts";
import { hostileTexts, MEBIBYTE, repeated, SMALL, UNITS } from "./hostileTexts.ts";
import { DOMAIN_PARSERS, OTHER_PARSERS } from "./parsers.ts";

/** About what `yardstick` takes on two cores of an AMD EPYC, where threat 55 has its bound. A slower machine has more time. */
const YARDSTICK_MS = 18;
/** Threat 55. */
const BOUND_MS = 100 * Math.max(1, leastCpuMs(yardstick, YARDSTICK_MS) / YARDSTICK_MS);
const PACKAGES = fileURLToPath(new URL("../../packages", import.meta.url));

const small = hostileTexts(SMALL);
/** How many strings are measured whole: the slowest three of the small ones, or all in a sweep. */
const WHOLE = SWEEPS_ALL ? UNITS.length : 3;

test.each(Object.entries({ ...DOMAIN_PARSERS, ...OTHER_PARSERS }))(
  "%s takes 1 MiB of hostile text in under 100 ms",
  (_, parser) => {
    const run = (text: string) => () => {
      try {
        return parser(text);
      } catch (error) {
        return error;
      }
    };
    // A parser may reject its input; a parser that throws another error was called incorrectly, and nothing was measured.
    expect(run("a")()).not.toSatisfy((error) => error instanceof TypeError || error instanceof ReferenceError);
    // The first run includes compilation, which does not depend on the text.
    for (const text of small.slice(0, 4)) run(text)();
    const times = small.map((text, at) => ({
      unit: UNITS[at] as string,
      ms: leastCpuMs(run(text), BOUND_MS / 4),
    }));
    expect(times.filter(({ ms }) => ms >= BOUND_MS / 4)).toEqual([]);
    const slowest = times.toSorted((one, other) => other.ms - one.ms).slice(0, WHOLE);
    const whole = slowest.map(({ unit }) => ({ unit, ms: leastCpuMs(run(repeated(unit, MEBIBYTE)), BOUND_MS) }));
    expect(whole.filter(({ ms }) => ms >= BOUND_MS)).toEqual([]);
  },
);

test("every function of the domain and the transport that takes text is measured, or its text is our own", () => {
  const named = [...Object.keys(DOMAIN_PARSERS), ...Object.keys(DOMAIN_EXCEPTIONS)];
  const functions = functionsOfText();
  expect(functions.filter((name) => !named.includes(name))).toEqual([]);
  expect(Object.keys(DOMAIN_EXCEPTIONS).filter((name) => !functions.includes(name))).toEqual([]);
});

/** Fixed work of the kind that parsers do. */
function yardstick(): unknown {
  return JSON.stringify("\ud800".repeat(MEBIBYTE / 4)).replace(/\\u(\w{4})/g, "$1").length;
}

/** Exported functions with a parameter of text, bytes, a query or anything at all. */
function functionsOfText(): string[] {
  const isText = /:[^:]*\b(?:string|unknown|URLSearchParams|Uint8Array|ConnectInput)\b/;
  return globSync("{domain,transport}/src/**/*.ts", { cwd: PACKAGES, exclude: ["**/*.test.ts"] }).flatMap((path) => {
    const source = ts.createSourceFile(path, readFileSync(`${PACKAGES}/${path}`, "utf8"), ts.ScriptTarget.Latest, true);
    return source.statements.flatMap((statement) => {
      if (!ts.isFunctionDeclaration(statement) || statement.name === undefined) return [];
      const isExported = statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
      return isExported && statement.parameters.some((one) => isText.test(one.getText())) ? [statement.name.text] : [];
    });
  });
}
