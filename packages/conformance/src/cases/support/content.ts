import type { ContentItem, ContentPage } from "../../_generated/consumerWire.ts";
import type { CaseContext } from "../../harness/context.ts";
import type { ConnectOptions } from "./attempts.ts";
import { type Connected, connectAndSettle } from "./connections.ts";
import { daysBack, scan, serviceNow, type Window } from "./jobs.ts";

export function contentPage(
  t: CaseContext,
  { scope, connectionId }: Connected,
  { publishedAfter, publishedBefore }: Window,
  first = 50,
  after: string | null = null,
): Promise<ContentPage> {
  const window = { publishedAfter, publishedBefore, first, ...(after !== null && { after }) };
  return t.get("content", { scope, connectionId, window });
}

export function untilIncomplete(t: CaseContext, connected: Connected, window: Window, reason: string) {
  return t.eventually(
    `the page reads ${reason}`,
    () => contentPage(t, connected, window, 1),
    (page) => page.pageInfo.incompleteReason === reason,
  );
}

export async function allContent(
  t: CaseContext,
  connected: Connected,
  window: Window,
  first = 50,
  from: string | null = null,
) {
  const items: ContentItem[] = [];
  for (let after = from; ; ) {
    const page: ContentPage = await contentPage(t, connected, window, first, after);
    items.push(...page.items);
    if (!page.pageInfo.hasNextPage) return { items, last: page };
    after = page.pageInfo.endCursor;
  }
}

/** The posts in a window of the days before now that the first reads of a new connection cover. */
export async function firstPosts(t: CaseContext, options: ConnectOptions, fromDaysAgo = 6, toDaysAgo = -1) {
  const connected = await connectAndSettle(t, options);
  const { items } = await allContent(t, connected, daysBack(await serviceNow(t), fromDaysAgo, toDaysAgo));
  t.holds(items.length > 0, "there are posts");
  return items;
}

/** A new connection with a scan of a window in days before `now`, and the posts of that window. */
export async function scanned(
  t: CaseContext,
  options: ConnectOptions,
  fromDaysAgo: number,
  toDaysAgo?: number,
  now?: Date,
) {
  const connected = await connectAndSettle(t, options);
  const window = daysBack(now ?? (await serviceNow(t)), fromDaysAgo, toDaysAgo);
  const job = await scan(t, connected, window);
  return { connected, window, job, ...(await allContent(t, connected, window)) };
}

export function storedPost(
  t: CaseContext,
  { scope, connectionId }: Connected,
  providerContentId: string,
): Promise<ContentItem | null> {
  return t.get("contentItem", { scope, connectionId, providerContentId });
}

export async function contentRefused(
  t: CaseContext,
  { scope, connectionId }: Connected,
  code: string,
  { id: providerContentId = "1", url = "https://www.instagram.com/p/C0nf0rmance1/" } = {},
): Promise<void> {
  const connected = { scope, connectionId };
  const window = daysBack(await serviceNow(t), 30);
  await t.refuses("content", { ...connected, window: { ...window, first: 1 } }, code);
  await t.refuses("contentItem", { ...connected, providerContentId }, code);
  await t.refuses("requestRefresh", { ...connected, window }, code);
  await t.refuses("requestRefresh", { ...connected, providerContentId }, code);
  await t.refuses("requestContentLookup", { ...connected, url }, code);
}
