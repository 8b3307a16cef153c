import type { CaseDifference, DriftReport, UnjudgedCase } from "./checkDrift.ts";

const LONGEST_VALUE = 120;

/** A report in words, a line for each difference. */
export function driftText({ hasDrift, schema, cases }: DriftReport): string {
  const judged = `${cases.judged} cases`;
  if (!hasDrift)
    return [`Nothing differs: not the schema, and none of ${judged}.`, ...left(cases.notJudged)].join("\n");
  const width = Math.max(
    ...schema.map(({ coordinate }) => coordinate.length),
    ...cases.differing.map(({ id }) => id.length),
  );
  return [
    ...schema.map(({ level, coordinate, text }) => `${level.padEnd(9)}  ${coordinate.padEnd(width)}  ${text}`),
    ...cases.differing.map((one) => `${"case".padEnd(9)}  ${one.id.padEnd(width)}  ${one.title} (${found(one)})`),
    "",
    `The schema differs in ${schema.length} places, and ${cases.differing.length} of ${judged} do.`,
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
  return line.length > LONGEST_VALUE ? `${line.slice(0, LONGEST_VALUE)}…` : line;
}

function left(notJudged: readonly UnjudgedCase[]): string[] {
  const count = (need: "tenantKey" | "admin") => notJudged.filter(({ needs }) => needs.includes(need)).length;
  const reasons = [
    [count("tenantKey"), "for want of a tenant"],
    [count("admin"), "for want of the admin side's address and key"],
  ] as const;
  return reasons.flatMap(([cases, why]) => (cases === 0 ? [] : [`Not judged ${why}: ${cases} cases.`]));
}
