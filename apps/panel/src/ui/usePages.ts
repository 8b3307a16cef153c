import type { QueryKey } from "@tanstack/react-query";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { asFailure } from "../api/failure.ts";

/** A page of a list, as the admin schema gives it. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean };
}

/** A list that is read page by page, each from where the one before ended; never as a whole. */
export function usePages<Item>(queryKey: QueryKey, readPage: (after: string | null) => Promise<Page<Item>>) {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => readPage(pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ pageInfo }) => (pageInfo.hasNextPage ? pageInfo.endCursor : undefined),
    // While another filter loads, what was found before stays.
    placeholderData: keepPreviousData,
  });
  return {
    items: query.data?.pages.flatMap(({ items }) => items),
    failure: query.error === null ? null : asFailure(query.error),
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    isStale: query.isPlaceholderData,
    loadMore: () => void query.fetchNextPage(),
    retry: () => void query.refetch(),
  };
}
