/** Returns how many rows it deleted. */
export function deleteWhere<Row>(rows: Map<string, Row>, isDeleted: (row: Row) => boolean): number {
  const before = rows.size;
  for (const [id, row] of rows) if (isDeleted(row)) rows.delete(id);
  return before - rows.size;
}
