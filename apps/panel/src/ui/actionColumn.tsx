import { Button } from "@mantine/core";
import type { Column } from "./DataTable.tsx";

interface RowAction<Row> {
  readonly verb: string;
  /** Names the row for screen readers. */
  readonly nameOf: (row: Row) => string;
  readonly isOffered?: (row: Row) => boolean;
  readonly run: (row: Row) => void;
}

/** The last column of a table: a button in each row. */
export function actionColumn<Row>({ verb, nameOf, isOffered = () => true, run }: RowAction<Row>): Column<Row> {
  return {
    header: "Actions",
    isActions: true,
    cell: (row) =>
      isOffered(row) && (
        <Button variant="default" size="compact-sm" aria-label={`${verb} ${nameOf(row)}`} onClick={() => run(row)}>
          {verb}
        </Button>
      ),
  };
}
