import type { CaseDifference, DriftReport, UnjudgedCase } from "./checkDrift.ts";

const MAX_LENGTH = 120;

/** Formats a report, with one line for each difference. */
export function driftText({ hasDrift, schema, cases }: DriftReport): string {
  const judged = `${cases.judged} cases`;
  if (!hasDrift) return [`No differences: the schema and ${judged} are the same.`, ...left(cases.notJudged)].join("\n");
  const width = Math.max(
    ...schema.map(({ coordinate }) => coordinate.length),
    ...cases.differing.map(({ id }) => id.length),
  );
  return [
    ...schema.map(({ level, coordinate, text }) => `${level.padEnd(9)}  ${coordinate.padEnd(width)}  ${text}`),
    ...cases.differing.map((one) => `${"case".padEnd(9)}  ${one.id.padEnd(width)}  ${one.title} (${found(one)})`),
    "",
    `Differences: ${schema.length} in the schema, ${cases.differing.length} of ${judged}.`,
    ...left(cases.notJudged),
  ].join("\n");
}

function found({ what, expected, actual }: CaseDifference): string {
  return expected === null
    ? inOneLine(what)
    : `${inOneLine(what)}: expected ${inOneLine(expected)}, got ${inOneLine(actual ?? "nothing")}`;
}

function inOneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}…` : line;
}

function left(notJudged: readonly UnjudgedCase[]): string[] {
  const count = (need: "tenantKey" | "admin") => notJudged.filter(({ needs }) => needs.includes(need)).length;
  const reasons = [
    [count("tenantKey"), "without a tenant"],
    [count("admin"), "without an admin host and key"],
  ] as const;
  return reasons.flatMap(([cases, why]) => (cases === 0 ? [] : [`Skipped ${why}: ${cases} cases.`]));
}
