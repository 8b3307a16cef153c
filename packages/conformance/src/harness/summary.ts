import type { Conformance, TargetRun } from "./conform.ts";
import { failureText } from "./report.ts";
import type { CaseResult } from "./runner.ts";

const PARTS: Readonly<Record<number, string>> = {
  2: "resources and fields",
  3: "states and transitions",
  4: "endpoints",
  5: "authentication",
  7: "errors",
  8: "limits",
};
const SIDES = ["consumer", "admin"] as const;

/** Several targets side by side: a table by part of the description, the failures and the skipped cases. */
export function summaryOf(runs: readonly TargetRun[]): string {
  const failures = runs.flatMap(({ name, conformance, problem }) => [
    ...(problem === undefined ? [] : [`${name}: ${problem}`]),
    ...(conformance?.results ?? [])
      .filter(({ outcome }) => outcome === "failed")
      .map((result) => `${name}: ${failureText(result)}`),
  ]);
  return [table(runs), ...section("Failed", failures), ...section("Skipped", skippedCases(runs))].join("\n").trimEnd();
}

function table(runs: readonly TargetRun[]): string {
  const lines = [["part", ...runs.map(({ name }) => name)]];
  for (const side of SIDES) {
    for (const [part, text] of Object.entries(PARTS)) {
      const ofRow = (results: readonly CaseResult[]) =>
        results.filter((result) => result.part === Number(part) && sideOf(result) === side);
      if (runs.every(({ conformance }) => ofRow(conformance?.results ?? []).length === 0)) continue;
      const cells = runs.map(({ conformance }) => (conformance ? cell(ofRow(conformance.results)) : "–"));
      lines.push([`${side} S${part} ${text}`, ...cells]);
    }
  }
  lines.push(["all cases", ...runs.map(({ conformance }) => (conformance ? cell(conformance.results) : "–"))]);
  lines.push(["rows of the catalogue reached", ...runs.map(({ conformance }) => coverageCell(conformance))]);
  lines.push(["seconds", ...runs.map(({ seconds }) => String(Math.round(seconds)))]);
  lines.push(["", ...runs.map(({ conformance }) => (conformance?.green ? "GREEN" : "RED"))]);
  return aligned(lines);
}

function sideOf({ id }: CaseResult): (typeof SIDES)[number] {
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

function coverageCell(conformance: Conformance | null): string {
  if (conformance === null) return "–";
  const { coverage } = conformance;
  return `${coverage.filter(({ state }) => state === "reached").length} of ${coverage.length}`;
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

function aligned(lines: readonly (readonly string[])[]): string {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
