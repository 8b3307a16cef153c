import { UnstyledButton, VisuallyHidden } from "@mantine/core";
import { IconArrowDown, IconArrowsSort, IconArrowUp } from "@tabler/icons-react";
import { type MouseEvent, type ReactNode, useCallback, useState } from "react";
import classes from "./DataTable.module.css";
import { compareValues } from "./sorting.ts";
import { useEntryState } from "./useEntryState.ts";

export interface Column<Row> {
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** Its values can be long words, such as URLs and email addresses, which break anywhere. */
  readonly isLong?: boolean;
  /** Another column than the row header has the link that a click on the row opens. */
  readonly isRowLink?: boolean;
  /** Hidden while the table is narrow; the page of the row has its values, too. */
  readonly isSecondary?: boolean;
  /** Numbers are aligned to the right. */
  readonly isNumber?: boolean;
  /** For buttons at the end of the row; the column has no visible header. */
  readonly isActions?: boolean;
  /** For complete lists, which the page sorts. */
  readonly sortBy?: (row: Row) => string | number;
  /** For paginated lists, which the service sorts: its name of this order. */
  readonly order?: string;
}

/** The order of a paginated list. */
export interface ListOrder {
  readonly by: string;
  readonly isDescending: boolean;
}

export interface DataTableProps<Row> {
  /** For screen readers. */
  readonly caption: string;
  /** The first identifies the row. Its first link is also opened by a click on the row. */
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** One line for each row, and three on a phone: for long lists. */
  readonly isDense?: boolean;
  /** Shown instead of a table without rows. */
  readonly empty?: ReactNode;
  /** The order in which the service returns a paginated list. */
  readonly order?: ListOrder;
  readonly onOrder?: (order: ListOrder) => void;
}

/**
 * A table, or a list of cards on a narrow screen. The explicit roles keep it a table for screen readers when CSS lays it out
 * as blocks.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, columns, rows, rowKey, isDense, empty, order, onOrder } = props;
  const [frame, isScrollable] = useScrollable();
  const [sorted, setSorted] = useEntryState<ListOrder | null>(`order of ${caption}`, null);
  if (rows.length === 0 && empty !== undefined) return <>{empty}</>;
  const current = order ?? sorted;
  const sortColumn = columns.find(({ header }) => header === sorted?.by);
  const linkColumn = columns.find(({ isRowLink }) => isRowLink) ?? columns[0];
  return (
    // The keyboard scrolls only what has the focus.
    <div
      ref={frame}
      className={classes.frame}
      {...(isScrollable && { role: "group", "aria-label": caption, tabIndex: 0 })}
    >
      {/* biome-ignore-start lint/a11y/noRedundantRoles: see above */}
      {/* biome-ignore-start lint/a11y/useSemanticElements: see above */}
      <table className={classes.table} role="table" aria-label={caption} data-dense={isDense || undefined}>
        <thead role="rowgroup" className={classes.head}>
          <tr role="row">
            {columns.map((column) => {
              const name = column.order ?? (column.sortBy === undefined ? null : column.header);
              const isCurrent = name !== null && name === current?.by;
              return (
                <th
                  key={column.header}
                  role="columnheader"
                  scope="col"
                  aria-sort={ariaSort(isCurrent ? current : null)}
                  data-number={column.isNumber || undefined}
                  data-secondary={column.isSecondary || undefined}
                  data-sortable={name === null ? undefined : true}
                >
                  {name === null ? (
                    <Header column={column} />
                  ) : (
                    <SortButton
                      header={column.header}
                      order={isCurrent ? current : null}
                      onSort={(isDescending) => (column.order ? onOrder : setSorted)?.({ by: name, isDescending })}
                    />
                  )}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {sortRows(rows, sortColumn, sorted).map((row) => (
            // The row's link has the focus and handles the keys.
            <tr key={rowKey(row)} role="row" onClick={openRow}>
              {columns.map((column) => {
                const { header, cell, isLong, isSecondary, isActions, isNumber } = column;
                const isLink = column === linkColumn || undefined;
                return column === columns[0] ? (
                  <th key={header} role="rowheader" scope="row" data-row-link={isLink}>
                    {cell(row)}
                  </th>
                ) : (
                  <td
                    key={header}
                    role="cell"
                    data-header={isActions ? undefined : header}
                    data-actions={isActions || undefined}
                    data-long={isLong || undefined}
                    data-number={isNumber || undefined}
                    data-secondary={isSecondary || undefined}
                    data-row-link={isLink}
                  >
                    {cell(row)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {/* biome-ignore-end lint/a11y/useSemanticElements: see above */}
      {/* biome-ignore-end lint/a11y/noRedundantRoles: see above */}
    </div>
  );
}

/** Whether the content of the element with the ref is wider than the element. */
function useScrollable() {
  const [isScrollable, setIsScrollable] = useState(false);
  const ref = useCallback((element: HTMLElement | null) => {
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => setIsScrollable(element.scrollWidth > element.clientWidth));
    for (const observed of [element, ...element.children]) observer.observe(observed);
    return () => observer.disconnect();
  }, []);
  return [ref, isScrollable] as const;
}

function Header<Row>({ column: { header, isActions } }: { readonly column: Column<Row> }) {
  return isActions ? <VisuallyHidden>{header}</VisuallyHidden> : <span>{header}</span>;
}

interface SortButtonProps {
  readonly header: string;
  /** null: the list is not sorted by this column. */
  readonly order: ListOrder | null;
  readonly onSort: (isDescending: boolean) => void;
}

function SortButton({ header, order, onSort }: SortButtonProps) {
  const SortedIcon = order?.isDescending ? IconArrowDown : IconArrowUp;
  const Icon = order === null ? IconArrowsSort : SortedIcon;
  return (
    <UnstyledButton className={classes.sort} onClick={() => onSort(order !== null && !order.isDescending)}>
      {header}
      <Icon size={14} stroke={1.7} aria-hidden data-current={order !== null || undefined} />
    </UnstyledButton>
  );
}

function ariaSort(order: ListOrder | null): "ascending" | "descending" | undefined {
  if (order === null) return undefined;
  return order.isDescending ? "descending" : "ascending";
}

function sortRows<Row>(rows: readonly Row[], column: Column<Row> | undefined, order: ListOrder | null): readonly Row[] {
  const sortBy = column?.sortBy;
  if (sortBy === undefined || order === null) return rows;
  const sign = order.isDescending ? -1 : 1;
  return rows.toSorted((left, right) => sign * compareValues(sortBy(left), sortBy(right)));
}

/** What has its own reaction to a click. */
const INTERACTIVE = "a, button, input, select, textarea, label, summary, [role=button], [role=menuitem]";

/**
 * Opens the row's link. Ignores what belongs to the browser or to a control: selected text, other buttons of the mouse,
 * and modified clicks, which open the link itself in a new tab.
 */
function openRow(event: MouseEvent<HTMLTableRowElement>): void {
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const target = event.target as Element;
  if (!event.currentTarget.contains(target) || target.closest(INTERACTIVE) !== null) return;
  if (window.getSelection()?.isCollapsed === false) return;
  event.currentTarget.querySelector<HTMLAnchorElement>("[data-row-link] a[href]")?.click();
}
