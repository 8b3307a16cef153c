import { keepPreviousData, type QueryKey, useInfiniteQuery } from "@tanstack/react-query";
import { asFailure } from "../api/failure.ts";
import { REFRESH_MS, useLive } from "./useLive.ts";

/** A page of a list in the admin schema. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean };
  /** Only where the service can count cheaply. */
  readonly totalCount?: number;
}

/** How many pages of a list are refreshed at intervals. */
const LIVE_PAGES = 3;

/** How often a list is refreshed while one of its rows is about to change. */
const CHANGING_MS = 3_000;

interface PagesOptions<Item> {
  /** Each read is in the audit log, so the list is only read again on request. */
  readonly isAudited?: boolean;
  /** Whether a row is about to change. */
  readonly isChanging?: (item: Item) => boolean;
}

/** Reads a list page by page with its cursor, and again at intervals. */
export function usePages<Item>(
  queryKey: QueryKey,
  readPage: (after: string | null) => Promise<Page<Item>>,
  { isAudited = false, isChanging = () => false }: PagesOptions<Item> = {},
) {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => readPage(pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ pageInfo }) => (pageInfo.hasNextPage ? pageInfo.endCursor : undefined),
    // Shows the previous results while a new filter loads.
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: !isAudited,
  });
  const items = query.data?.pages.flatMap((page) => page.items);
  // A list of many pages is not read again and again.
  const isLive = !isAudited && (query.data?.pages.length ?? 0) <= LIVE_PAGES;
  useLive(query, isLive ? (items?.some(isChanging) ? CHANGING_MS : REFRESH_MS) : null);
  return {
    items,
    totalCount: query.data?.pages.at(-1)?.totalCount ?? null,
    failure: query.error === null ? null : asFailure(query.error),
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage(),
    retry: () => void query.refetch(),
  };
}
