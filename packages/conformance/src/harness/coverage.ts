import type { Case } from "./defineCase.ts";

/** One statement of the service description (or of the project's decisions) that a case has to reach. */
export interface Row {
  /** `code:NOT_FOUND`, `rule:ConnectInput.returnUrl.fragment`, `transition:attempt.AUTHORIZING.DENIED.USER_DENIED`. */
  readonly id: string;
  /** Part of the service description, or `decisions`. */
  readonly source: string;
  readonly text: string;
  /**
   * What must have been on the wire while a case reached the row; the row itself for codes, values and operations. A case
   * that reaches the row also reaches the rows of its witnesses.
   */
  readonly witness: readonly string[];
}

export interface RowCoverage {
  readonly row: Row;
  readonly cases: readonly string[];
  /** `hole`: no case reaches it. `not-run`: a case does, but none of them ran and passed this time. */
  readonly state: "reached" | "not-run" | "hole";
}

export function unknownClaims(cases: readonly Case[], rows: readonly Row[]): string[] {
  const known = new Set(rows.map((row) => row.id));
  return cases.flatMap((one) =>
    one.reaches.filter((claim) => !known.has(claim)).map((claim) => `${one.id} claims ${claim}`),
  );
}

/** What a case claims to reach without having it on the wire. */
export function unwitnessed(
  claims: readonly string[],
  rows: ReadonlyMap<string, Row>,
  saw: (observation: string) => boolean,
): string[] {
  return claims.flatMap((claim) => {
    const missing = (rows.get(claim)?.witness ?? []).filter((observation) => !saw(observation));
    return missing.length === 0 ? [] : [`${claim} (no ${missing.join(", ")} on the wire)`];
  });
}

export function coverageOf(
  rows: readonly Row[],
  cases: readonly Case[],
  results: readonly { readonly id: string; readonly outcome: string }[],
): RowCoverage[] {
  const passed = new Set(results.filter((result) => result.outcome === "passed").map((result) => result.id));
  const witnesses = new Map(rows.map((row) => [row.id, row.witness]));
  const reached = new Map(
    cases.map((one) => [one.id, new Set(one.reaches.flatMap((claim) => [claim, ...(witnesses.get(claim) ?? [])]))]),
  );
  return rows.map((row) => {
    const reaching = cases.filter((one) => reached.get(one.id)?.has(row.id)).map((one) => one.id);
    const state = reaching.length === 0 ? "hole" : reaching.some((id) => passed.has(id)) ? "reached" : "not-run";
    return { row, cases: reaching, state };
  });
}
