import type { QueryKey } from "@tanstack/react-query";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { asFailure } from "../api/failure.ts";

/** A page of a list in the admin schema. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean };
}

/** Reads a list page by page with its cursor. `earlyPage` returns the first page if it was read before. */
export function usePages<Item>(
  queryKey: QueryKey,
  readPage: (after: string | null) => Promise<Page<Item>>,
  earlyPage: () => Page<Item> | undefined = () => undefined,
) {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => readPage(pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ pageInfo }) => (pageInfo.hasNextPage ? pageInfo.endCursor : undefined),
    initialData: () => {
      const page = earlyPage();
      return page && { pages: [page], pageParams: [null] };
    },
    // Shows the previous results while a new filter loads.
    placeholderData: keepPreviousData,
  });
  return {
    items: query.data?.pages.flatMap(({ items }) => items),
    failure: query.error === null ? null : asFailure(query.error),
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage(),
    retry: () => void query.refetch(),
  };
}
