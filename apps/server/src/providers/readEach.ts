import { fewAtATime } from "../platform/fewAtATime.ts";
import { type LookupOutcome, ProviderError, type ProviderErrorKind, type ReadPage } from "./contract.ts";

/** Failures that can concern one post only. The others end every read of the account. */
const POST_ERRORS: readonly ProviderErrorKind[] = ["unavailable", "rejected", "scope_missing"];

/** Providers also refuse a single post as if the application lacked a permission, and show the others. */
function mayConcernSome({ kind }: ProviderError): boolean {
  return POST_ERRORS.includes(kind) || kind === "application_refused";
}

interface EachRead<Item, Result> {
  /** In the order of the items. */
  readonly read: readonly { readonly item: Item; readonly result: Result }[];
  /** Items whose own read failed. */
  readonly failed: readonly Item[];
  /** Set when the failure concerns all reads: the items that are in neither list were not read. */
  readonly fault: ProviderError | null;
}

/** The provider understood the request for the only post and does not show it, which is not an outage. */
function isRefusedPost({ kind, refusal }: ProviderError, posts: number): boolean {
  return posts === 1 && kind === "rejected" && refusal !== null;
}

/**
 * Reads items with at most `limit` concurrent calls. A failure that can concern one item does not end the others, unless
 * more than half of the items fail: then it is an outage.
 */
export async function readEach<Item, Result>(
  items: readonly Item[],
  limit: number,
  read: (item: Item) => Promise<Result>,
): Promise<EachRead<Item, Result>> {
  const results = new Map<Item, Result>();
  const failed = new Set<Item>();
  let fault: ProviderError | null = null;
  let isOver = false;
  const inTurn = fewAtATime(limit);
  const readOne = async (item: Item) => {
    if (isOver) return;
    try {
      results.set(item, await read(item));
    } catch (error) {
      const isOfProvider = error instanceof ProviderError;
      const isOfOnePost = isOfProvider && mayConcernSome(error) && failed.size + 1 <= items.length / 2;
      isOver ||= !isOfOnePost && !(isOfProvider && isRefusedPost(error, items.length));
      if (!isOfProvider) throw error;
      failed.add(item);
      if (isOver) fault ??= error;
    }
  };
  await Promise.all(items.map((item) => inTurn(() => readOne(item))));
  return {
    read: items.flatMap((item) => (results.has(item) ? [{ item, result: results.get(item) as Result }] : [])),
    failed: items.filter((item) => failed.has(item)),
    fault,
  };
}

/** How often a batch is split: enough to find one unreadable post among 50. */
const MAX_SPLITS = 6;
/** A gateway's answers, which say nothing about a post. */
const OUTAGES = [502, 503, 504];

/** The provider itself responded about these posts. */
export function mayConcernBatch(error: ProviderError): boolean {
  const { refusal, isTransient } = error;
  return POST_ERRORS.includes(error.kind) && !isTransient && refusal !== null && !OUTAGES.includes(refusal.status);
}

/**
 * Reads a batch of posts with one call. If one post makes the provider refuse it, the batch is split until it has only
 * that post. Throws the failure when more than half of the posts cannot be read, unless it is a refusal of the only one.
 */
export async function readBatch<Found>(
  ids: readonly string[],
  read: (ids: readonly string[]) => Promise<ReadonlyMap<string, Found>>,
): Promise<{
  readonly found: ReadonlyMap<string, Found>;
  readonly unreadable: readonly string[];
  readonly refusal: ProviderError | null;
}> {
  const found = new Map<string, Found>();
  const unreadable: string[] = [];
  let refusal: ProviderError | null = null;
  let splits = 0;
  const readPart = async (part: readonly string[]): Promise<void> => {
    try {
      for (const [id, one] of await read(part)) found.set(id, one);
    } catch (error) {
      if (!(error instanceof ProviderError) || !mayConcernBatch(error)) throw error;
      if (part.length === 1) unreadable.push(...part);
      else splits += 1;
      const isOutage = unreadable.length > ids.length / 2 && !isRefusedPost(error, ids.length);
      if (isOutage || splits > MAX_SPLITS) throw error;
      if (ids.length === 1) refusal = error;
      if (part.length === 1) return;
      const middle = Math.ceil(part.length / 2);
      await readPart(part.slice(0, middle));
      await readPart(part.slice(middle));
    }
  };
  if (ids.length > 0) await readPart(ids);
  return { found, unreadable, refusal };
}

/** What the read of one id means for a lookup. */
export function outcomeOf({ items: [item], unreadable, unproven, refusal = null }: ReadPage): LookupOutcome {
  if (item !== undefined) return { outcome: "found", item };
  if (unproven?.length) return { outcome: "unproven" };
  return unreadable.length > 0 ? { outcome: "refused", ...(refusal && { refusal }) } : { outcome: "not-found" };
}
