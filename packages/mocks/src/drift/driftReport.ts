import type { SchemaDifference } from "./schemaDifferences.ts";

/** A case in which the service differs from the mocks. */
export interface CaseDifference {
  /** As the conformance suite names it, e.g. `S8.aliases.boundary`. */
  readonly id: string;
  /** The behavior of the mocks, as a sentence. */
  readonly title: string;
  /** What differs. */
  readonly what: string;
  /** The value of the mocks; null when the difference is not a single value. */
  readonly expected: string | null;
  /** The value of the service, without keys; null when the difference is not a single value. */
  readonly actual: string | null;
}

/** A skipped case, with the missing options. */
export interface UnjudgedCase {
  /** As the conformance suite names it. */
  readonly id: string;
  /** The behavior of the mocks, as a sentence. */
  readonly title: string;
  /** The options that it requires. */
  readonly needs: readonly ("tenantKey" | "admin")[];
}

/** Differences between a service and the mocks, and skipped cases. */
export interface DriftReport {
  /** Whether there is any difference, including safe ones. */
  readonly hasDrift: boolean;
  /** Differences of the consumer schema, breaking ones first. The admin schema is not published. */
  readonly schema: readonly SchemaDifference[];
  /** The conformance cases without side effects. */
  readonly cases: {
    /** Number of cases that ran. */
    readonly judged: number;
    readonly differing: readonly CaseDifference[];
    readonly notJudged: readonly UnjudgedCase[];
  };
  /** Number of requests sent. */
  readonly requests: number;
}

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
