export function deleteWhere<Row>(rows: Map<string, Row>, isDeleted: (row: Row) => boolean): void {
  for (const [id, row] of rows) if (isDeleted(row)) rows.delete(id);
}
