/**
 * Whether tests check every combination of what they sweep: `SWEEP=all pnpm test`. Otherwise they take a sample that
 * contains every value, but not with every other one.
 */
export const SWEEPS_ALL = process.env["SWEEP"] === "all";

/**
 * Those of a row's columns that a test tries: each `share`-th, beginning with another one in each row, so that each column is
 * tried in some rows. All with SWEEP=all.
 */
export function sampled<Column>(columns: readonly Column[], row: number, share: number): Column[] {
  return columns.filter((_, index) => SWEEPS_ALL || (index + row) % share === 0);
}
