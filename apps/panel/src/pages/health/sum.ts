/** How many there are of what passes; of everything, without a test. */
export function sum<Row extends { readonly count: number }>(
  rows: readonly Row[],
  passes: (row: Row) => boolean = () => true,
): number {
  return rows.reduce((total, row) => (passes(row) ? total + row.count : total), 0);
}
