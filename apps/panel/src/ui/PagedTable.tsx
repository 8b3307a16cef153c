import { Group, Skeleton, Stack, Text } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";
import { ActionButton } from "./ActionButton.tsx";
import { DataTable, type DataTableProps } from "./DataTable.tsx";
import { FailureNote } from "./FailureNote.tsx";
import { Loading } from "./Skeletons.tsx";
import type { usePages } from "./usePages.ts";

interface PagedTableProps<Row> extends Omit<DataTableProps<Row>, "rows" | "empty"> {
  readonly pages: ReturnType<typeof usePages<Row>>;
  /** Shown if the list is empty. */
  readonly empty: ReactNode;
}

/** A paginated list with a button that loads the next page. */
export function PagedTable<Row>({ pages, empty, ...table }: PagedTableProps<Row>) {
  const { failure, totalCount, hasMore } = pages;
  // A row that moved between two requests is on two pages.
  const items = pages.items && [...new Map(pages.items.map((row) => [table.rowKey(row), row])).values()];
  const list = useRef<HTMLDivElement>(null);
  const shownBefore = useRef<number | null>(null);
  const shown = items?.length ?? 0;
  const loadMore = () => {
    shownBefore.current = shown;
    pages.loadMore();
  };
  useEffect(() => {
    const before = shownBefore.current;
    if (before === null || shown <= before) return;
    shownBefore.current = null;
    // The button, which had the focus, disappears with the last page.
    const row = hasMore ? null : list.current?.querySelectorAll("tbody tr")[before];
    row?.querySelector<HTMLElement>("a[href]")?.focus({ preventScroll: true });
  }, [shown, hasMore]);
  if (items === undefined && failure !== null) return <FailureNote failure={failure} onRetry={pages.retry} />;
  if (items === undefined) return <LoadingRows isDense={table.isDense === true} />;
  if (items.length === 0) return <>{empty}</>;
  return (
    <Stack gap="md" ref={list}>
      <DataTable rows={items} {...table} />
      {failure !== null && <FailureNote failure={failure} onRetry={loadMore} />}
      <Group justify="space-between">
        <Text size="sm" c="dimmed" role="status">
          {countText(shown, hasMore, totalCount)}
        </Text>
        {hasMore && (
          <ActionButton variant="default" isBusy={pages.isLoadingMore} onClick={loadMore}>
            Show more
          </ActionButton>
        )}
      </Group>
    </Stack>
  );
}

function countText(shown: number, hasMore: boolean, totalCount: number | null): string {
  if (!hasMore) return `${shown.toLocaleString("en")} in total`;
  if (totalCount === null) return `${shown.toLocaleString("en")} shown`;
  return `${shown.toLocaleString("en")} of ${totalCount.toLocaleString("en")} shown`;
}

function LoadingRows({ isDense }: { readonly isDense: boolean }) {
  const count = isDense ? 20 : 6;
  return (
    <Loading>
      <Stack gap={isDense ? 4 : 8} aria-hidden>
        {Array.from({ length: count }, (_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows never change
          <Skeleton key={row} height={isDense ? 28 : 44} />
        ))}
      </Stack>
    </Loading>
  );
}
