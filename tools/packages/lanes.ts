/** Performs work for each item, for so many at a time. */
export async function inLanes<Item>(
  items: readonly Item[],
  lanes: number,
  perform: (item: Item) => Promise<void>,
): Promise<void> {
  const open = items.values();
  const lane = async () => {
    for (const item of open) await perform(item);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
