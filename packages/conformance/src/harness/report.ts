import type { RowCoverage } from "./coverage.ts";
import type { CaseResult } from "./runner.ts";

const MARKS = { passed: "ok", failed: "FAILED", skipped: "skipped" } as const;

export function resultLine(result: CaseResult): string {
  const mark = result.outcome === "skipped" ? `skipped: needs ${result.missing?.join(", ")}` : MARKS[result.outcome];
  return `S${result.part}  ${result.id.padEnd(62)} ${mark.padEnd(10)} ${String(result.milliseconds).padStart(7)} ms`;
}

export function failureText({ id, title, failure }: CaseResult): string {
  const { what = "", expected = null, actual = null } = failure ?? {};
  return [
    `${id}: ${title}`,
    `  ${what}`,
    ...(expected === null ? [] : [`  expected: ${indent(expected)}`]),
    ...(actual === null ? [] : [`  actual:   ${indent(actual)}`]),
  ].join("\n");
}

export interface ReportOptions {
  /** Only some of the cases ran: the coverage of the others is unknown. */
  readonly isPart?: boolean;
}

/** The table of all cases, failures in full, and the coverage of the catalogue. */
export function reportText(
  results: readonly CaseResult[],
  coverage: readonly RowCoverage[],
  { isPart = false }: ReportOptions = {},
): string {
  const sorted = [...results].sort((one, other) => one.part - other.part || one.id.localeCompare(other.id));
  const failures = sorted.filter(({ outcome }) => outcome === "failed").map((result) => `\n${failureText(result)}`);
  return [
    ...sorted.map(resultLine),
    ...failures,
    "",
    ...coverageLines(coverage, isPart),
    "",
    countsText(results, coverage),
  ].join("\n");
}

function coverageLines(coverage: readonly RowCoverage[], isPart: boolean): string[] {
  const told = coverage.filter(({ state }) => state === "hole" || (state === "not-run" && !isPart));
  const lines = told.map((entry) =>
    entry.state === "hole"
      ? `  HOLE     ${entry.row.id} (${entry.row.source}: ${entry.row.text})`
      : `  not run  ${entry.row.id} (${entry.cases.slice(0, 3).join(", ")})`,
  );
  if (isPart) return lines;
  return [
    "Coverage of the service description (rows reached by a case that passed):",
    ...groupLines(coverage),
    ...lines,
  ];
}

function groupLines(coverage: readonly RowCoverage[]): string[] {
  const groups = new Map<string, RowCoverage[]>();
  for (const entry of coverage) {
    const kind =
      /^(?:(?:admin-)?enum:[A-Za-z]+|admin-(?:class|field):|[a-z0-9-]+:(?:part3|[A-Za-z]+(?=\.))?|[A-Za-z]+:)/.exec(
        entry.row.id,
      )?.[0] ?? "other";
    groups.set(kind, [...(groups.get(kind) ?? []), entry]);
  }
  return [...groups].map(([kind, entries]) => {
    const reached = entries.filter((entry) => entry.state === "reached").length;
    return `  ${kind.padEnd(40)} ${String(reached).padStart(3)} of ${entries.length}`;
  });
}

function countsText(results: readonly CaseResult[], coverage: readonly RowCoverage[]): string {
  const count = (outcome: CaseResult["outcome"]) => results.filter((result) => result.outcome === outcome).length;
  const holes = coverage.filter((entry) => entry.state === "hole").length;
  return `${results.length} cases: ${count("passed")} passed, ${count("failed")} failed, ${count("skipped")} skipped. ${coverage.length} rows, ${holes} without a case.`;
}

function indent(text: string): string {
  const lines = text.split("\n");
  return [...lines.slice(0, 25), ...(lines.length > 25 ? ["…"] : [])].join("\n            ");
}

/** A failed case, or a row of the description that no case reaches. */
export function isGreen(results: readonly CaseResult[], coverage: readonly RowCoverage[]): boolean {
  return results.every((result) => result.outcome !== "failed") && coverage.every((entry) => entry.state !== "hole");
}
