import { VisuallyHidden } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./DataTable.module.css";

export interface Column<Row> {
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** Identifies the row; one column per table. */
  readonly isRowHeader?: boolean;
  /** Its values can be long words, such as URLs and email addresses, which break anywhere. */
  readonly isLong?: boolean;
  /** For buttons at the end of the row; the column has no visible header. */
  readonly isActions?: boolean;
}

interface DataTableProps<Row> {
  /** For screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** Shown instead of a table without rows. */
  readonly empty?: ReactNode;
}

/**
 * A table, or a list of cards on a narrow screen. The explicit roles keep it a table for screen readers when CSS lays it out
 * as blocks.
 */
export function DataTable<Row>({ caption, columns, rows, rowKey, empty }: DataTableProps<Row>) {
  if (rows.length === 0 && empty !== undefined) return <>{empty}</>;
  return (
    <div className={classes.frame}>
      {/* biome-ignore-start lint/a11y/noRedundantRoles: see above */}
      {/* biome-ignore-start lint/a11y/useSemanticElements: see above */}
      <table className={classes.table} role="table" aria-label={caption}>
        <thead role="rowgroup" className={classes.head}>
          <tr role="row">
            {columns.map(({ header, isActions }) => (
              <th key={header} role="columnheader" scope="col">
                {isActions ? <VisuallyHidden>{header}</VisuallyHidden> : <span>{header}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={rowKey(row)} role="row">
              {columns.map(({ header, cell, isRowHeader, isLong, isActions }) =>
                isRowHeader ? (
                  <th key={header} role="rowheader" scope="row">
                    {cell(row)}
                  </th>
                ) : (
                  <td
                    key={header}
                    role="cell"
                    data-header={isActions ? undefined : header}
                    data-actions={isActions || undefined}
                    data-long={isLong || undefined}
                  >
                    {cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {/* biome-ignore-end lint/a11y/useSemanticElements: see above */}
      {/* biome-ignore-end lint/a11y/noRedundantRoles: see above */}
    </div>
  );
}
