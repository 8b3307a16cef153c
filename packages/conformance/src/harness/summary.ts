import type { Conformance, TargetRun } from "./conform.ts";
import type { CaseResult } from "./runner.ts";

const PARTS: Readonly<Record<number, string>> = {
  2: "resources and fields",
  3: "states and transitions",
  4: "endpoints",
  5: "authentication",
  7: "errors",
  8: "limits",
};
const MARKS = { passed: "ok", failed: "FAILED", skipped: "skipped" } as const;

export function resultLine({ part, id, outcome, missing, milliseconds }: CaseResult): string {
  const mark = missing === undefined ? MARKS[outcome] : `skipped: needs ${missing.join(", ")}`;
  return `S${part}  ${id.padEnd(62)} ${mark.padEnd(10)} ${String(milliseconds).padStart(7)} ms`;
}

/** Targets side by side: a table by part of the description, the failures, the skipped cases, and what was not seen. */
export function summaryOf(runs: readonly TargetRun[]): string {
  const failures = runs.flatMap(({ name, conformance, problem }) => {
    const failed = (conformance?.results ?? []).filter(({ outcome }) => outcome === "failed");
    return [...(problem === undefined ? [] : [problem]), ...failed.map(failureText)].map((text) => `${name}: ${text}`);
  });
  const unseen = runs.flatMap(({ name, conformance }) => (conformance?.unseen ?? []).map((one) => `${name}: ${one}`));
  return [
    table(runs),
    ...section("Failed", failures),
    ...section("Skipped", skippedCases(runs)),
    ...section("Seen by no case", unseen),
  ].join("\n");
}

function failureText({ id, title, failure }: CaseResult): string {
  const { what = "", expected = null, actual = null } = failure ?? {};
  return [
    `${id}: ${title}`,
    `  ${what}`,
    ...(expected === null ? [] : [`  expected: ${indent(expected)}`]),
    ...(actual === null ? [] : [`  actual:   ${indent(actual)}`]),
  ].join("\n");
}

function indent(text: string): string {
  const lines = text.split("\n");
  return [...lines.slice(0, 25), ...(lines.length > 25 ? ["…"] : [])].join("\n            ");
}

function table(runs: readonly TargetRun[]): string {
  const row = (name: string, cellOf: (conformance: Conformance) => string) => [
    name,
    ...runs.map(({ conformance }) => (conformance === null ? "–" : cellOf(conformance))),
  ];
  const partRows = (["consumer", "admin"] as const).flatMap((side) =>
    Object.entries(PARTS).flatMap(([part, text]) => {
      const ofRow = ({ results }: Conformance) =>
        results.filter((result) => result.part === Number(part) && sideOf(result) === side);
      const isEmpty = runs.every(({ conformance }) => conformance === null || ofRow(conformance).length === 0);
      return isEmpty ? [] : [row(`${side} S${part} ${text}`, (conformance) => cell(ofRow(conformance)))];
    }),
  );
  const rows = [
    ["part", ...runs.map(({ name }) => name)],
    ...partRows,
    row("all cases", ({ results }) => cell(results)),
    ["seconds", ...runs.map(({ seconds }) => String(Math.round(seconds)))],
    ["", ...runs.map(({ conformance }) => (conformance?.green ? "GREEN" : "RED"))],
  ];
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)));
  const lineOf = (cells: readonly string[]) => cells.map((text, column) => text.padEnd(widths[column] ?? 0)).join("  ");
  return rows.map((cells) => lineOf(cells).trimEnd()).join("\n");
}

function sideOf({ id }: CaseResult): "consumer" | "admin" {
  return /^S\d\.admin\./.test(id) ? "admin" : "consumer";
}

function cell(results: readonly CaseResult[]): string {
  const count = (outcome: CaseResult["outcome"]) => results.filter((result) => result.outcome === outcome).length;
  const [failed, skipped] = [count("failed"), count("skipped")];
  const parts = [`${count("passed")} ok`];
  if (failed > 0) parts.push(`${failed} FAILED`);
  if (skipped > 0) parts.push(`${skipped} skipped`);
  return parts.join(", ");
}

/** Each skipped case once, with the targets that lack a driver for it. */
function skippedCases(runs: readonly TargetRun[]): string[] {
  const lacking = new Map<string, string[]>();
  for (const { name, conformance } of runs) {
    for (const { id, missing } of conformance?.results ?? []) {
      if (missing !== undefined) lacking.set(id, [...(lacking.get(id) ?? []), `${name} (${missing.join(", ")})`]);
    }
  }
  return [...lacking].map(([id, targets]) => `${id}: ${targets.join("; ")}`);
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ["", `${title}:`, ...lines.map((line) => `  ${line.replaceAll("\n", "\n  ")}`)];
}
