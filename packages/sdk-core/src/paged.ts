import { type ApiCall, apiCall, type WithResponse } from "./apiCall.ts";
import type { CallOptions } from "./call.ts";
import { wholeNumber } from "./checks.ts";
import { shapeError } from "./errors.ts";
import { refuseUnknownNames } from "./names.ts";

interface AnyPage<Item> {
  readonly items: readonly Item[];
  readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean };
}

/** A page can be empty when its rows were deleted during the read. This many in a row indicate a fault. */
const MAX_EMPTY_PAGES = 1_000;
/** A longer list should be iterated over, which keeps one page in memory. */
const MAX_ARRAY = 10_000;

/**
 * A paginated list. Iterate over the items, or over the pages with `pages()`; a page may be short or empty while more
 * pages follow. Each page is requested when it is needed.
 */
export class Paged<Item, Page extends AnyPage<Item>> implements AsyncIterable<Item> {
  readonly #operation: string;
  readonly #load: (after: string | undefined, options: CallOptions) => Promise<WithResponse<Page>>;
  readonly #options: CallOptions;

  constructor(
    operation: string,
    load: (after: string | undefined, options: CallOptions) => Promise<WithResponse<Page>>,
    options: CallOptions,
  ) {
    this.#operation = operation;
    this.#load = load;
    this.#options = options;
  }

  /** One page: the first, or the one after `pageInfo.endCursor` of another. */
  page(after?: string): ApiCall<Page> {
    return apiCall(() => this.#load(after, this.#options));
  }

  /** The first items as an array: at most `limit`, which is 1 to 10,000. Requests only the pages that it needs. */
  async toArray(options: { readonly limit: number }): Promise<Item[]> {
    refuseUnknownNames("options", options, ["limit"], this.#operation);
    const limit = wholeNumber("limit", options.limit, 1, this.#operation, MAX_ARRAY);
    const items: Item[] = [];
    for await (const item of this) if (items.push(item) >= limit) break;
    return items;
  }

  /** All pages, until `hasNextPage` is false. */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    const seen = new Set<string>();
    let after: string | undefined;
    let empty = 0;
    for (;;) {
      const page = await this.page(after);
      yield page;
      if (!page.pageInfo.hasNextPage) return;
      after = page.pageInfo.endCursor ?? undefined;
      // A repeated cursor, or pages that stay empty, would never end.
      empty = page.items.length === 0 ? empty + 1 : 0;
      if (after === undefined || seen.has(after) || empty >= MAX_EMPTY_PAGES) {
        throw shapeError(this.#operation, "The service reports a next page but returned no new cursor.");
      }
      seen.add(after);
    }
  }

  /** Iterates over the items of all pages. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* page.items;
  }
}
