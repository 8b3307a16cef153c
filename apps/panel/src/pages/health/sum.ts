/** Sums the counts of the rows that match. */
export function sum<Row extends { readonly count: number }>(
  rows: readonly Row[],
  matches: (row: Row) => boolean = () => true,
): number {
  return rows.reduce((total, row) => (matches(row) ? total + row.count : total), 0);
}
