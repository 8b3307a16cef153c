/**
 * Whether tests check every combination of what they sweep: `SWEEP=all pnpm test`. Otherwise they take a sample that
 * contains every value, but not with every other one.
 */
export const SWEEPS_ALL = process.env["SWEEP"] === "all";

/**
 * Those of a row's columns that a test tries: each `share`-th, beginning with another one in each row, which has a number or a
 * name, so that each column is tried in some rows. All with SWEEP=all.
 */
export function sampled<Column>(columns: readonly Column[], row: number | string, share: number): Column[] {
  const first = typeof row === "number" ? row : Buffer.from(row).reduce((sum, byte) => sum + byte, 0);
  return columns.filter((_, index) => SWEEPS_ALL || (index + first) % share === 0);
}
