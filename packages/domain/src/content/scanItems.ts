/** What decides whether an entry of a provider's list counts. */
interface ListedEntry {
  readonly publishedAt: Date | null;
  readonly reason: string | null;
}

/**
 * True for an entry that counts against the maxItems of a scan: a post that can be listed. What a deleted post left in a
 * provider's list does not count, and neither does an entry without a date, which no window holds.
 */
function counts({ publishedAt, reason }: ListedEntry): boolean {
  return publishedAt !== null && reason !== "DELETED_AT_PROVIDER";
}

/** The first entries of a list, with at most `maxItems` that count. Entries between them that do not count are included. */
export function takeItems<Entry extends ListedEntry>(entries: readonly Entry[], maxItems: number): readonly Entry[] {
  let counted = 0;
  const end = entries.findIndex((entry) => {
    if (counts(entry)) counted += 1;
    return counted > maxItems;
  });
  return end < 0 ? entries : entries.slice(0, end);
}

/** How many posts of an observation count. A page that shifts while it is read shows a post twice; it counts once. */
export function countItems(
  observed: readonly { readonly item: ListedEntry & { readonly providerContentId: string } }[],
): number {
  const items = observed.flatMap(({ item }) => (counts(item) ? [item.providerContentId] : []));
  return new Set(items).size;
}
