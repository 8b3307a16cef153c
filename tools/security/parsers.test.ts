import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";
import { leastCpuMs } from "../../packages/testkit/src/cpuTime.ts";
import { DOMAIN_EXCEPTIONS } from "./domainExceptions.ts";
import { hostileTexts, MEBIBYTE } from "./hostileTexts.ts";
import { DOMAIN_PARSERS, OTHER_PARSERS } from "./parsers.ts";

/** About what `yardstick` takes on two cores of an AMD EPYC, where threat 55 has its bound. A slower machine has more time. */
const YARDSTICK_MS = 18;
/** Threat 55. */
const BOUND_MS = 100 * Math.max(1, leastCpuMs(yardstick, YARDSTICK_MS) / YARDSTICK_MS);
/** A thirty-second of the text first: what is not linear shows there, and is not waited for. */
const SMALL = MEBIBYTE / 32;
const PACKAGES = fileURLToPath(new URL("../../packages", import.meta.url));

const [small, large] = [hostileTexts(SMALL), hostileTexts(MEBIBYTE)];

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
    const slow = small.flatMap((text, index) => {
      const shown = JSON.stringify(text.slice(0, 20));
      if (leastCpuMs(run(text), BOUND_MS / 4) >= BOUND_MS / 4) return [`${shown}…, a thirty-second of it`];
      const ms = leastCpuMs(run(large[index] as string), BOUND_MS);
      return ms < BOUND_MS ? [] : [`${shown}…: ${ms} ms`];
    });
    expect(slow).toEqual([]);
  },
);

test("every function of the domain and the transport that takes text is measured, or its text is our own", () => {
  const named = [...Object.keys(DOMAIN_PARSERS), ...Object.keys(DOMAIN_EXCEPTIONS)];
  expect(functionsOfText().filter((name) => !named.includes(name))).toEqual([]);
  expect(Object.keys(DOMAIN_EXCEPTIONS).filter((name) => !functionsOfText().includes(name))).toEqual([]);
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
