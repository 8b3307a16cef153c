import type { ContentItem, ContentPage } from "../_generated/consumerWire.ts";
import type { Capability } from "../target/target.ts";
import type { ConnectOptions } from "./attempts.ts";
import type { Connected } from "./connections.ts";
import { daysBack, JobSteps, type Window } from "./jobs.ts";

/** Stored posts. */
export class ContentSteps extends JobSteps {
  contentPage(
    { scope, connectionId }: Connected,
    { publishedAfter, publishedBefore }: Window,
    first = 50,
    after: string | null = null,
  ): Promise<ContentPage> {
    const window = { publishedAfter, publishedBefore, first, ...(after !== null && { after }) };
    return this.get("content", { scope, connectionId, window });
  }

  untilIncomplete(connected: Connected, window: Window, reason: string) {
    return this.eventually(
      `the page reads ${reason}`,
      () => this.contentPage(connected, window, 1),
      (page) => page.pageInfo.incompleteReason === reason,
    );
  }

  async allContent(connected: Connected, window: Window, first = 50, from: string | null = null) {
    const items: ContentItem[] = [];
    for (let after = from; ; ) {
      const page: ContentPage = await this.contentPage(connected, window, first, after);
      items.push(...page.items);
      if (!page.pageInfo.hasNextPage) return { items, last: page };
      after = page.pageInfo.endCursor;
    }
  }

  /** The posts in a window of the days before now that the first reads of a new connection cover. */
  async firstPosts(options: ConnectOptions, fromDaysAgo = 6, toDaysAgo = -1) {
    const connected = await this.connectAndSettle(options);
    const { items } = await this.allContent(connected, daysBack(await this.now(), fromDaysAgo, toDaysAgo));
    this.holds(items.length > 0, "there are posts");
    return items;
  }

  /** A new connection with a scan of a window in days before `now`, and the posts of that window. */
  async scanned(options: ConnectOptions, fromDaysAgo: number, toDaysAgo?: number, now?: Date) {
    const connected = await this.connectAndSettle(options);
    const window = daysBack(now ?? (await this.now()), fromDaysAgo, toDaysAgo);
    const job = await this.scan(connected, window);
    return { connected, window, job, ...(await this.allContent(connected, window)) };
  }

  storedPost({ scope, connectionId }: Connected, providerContentId: string): Promise<ContentItem | null> {
    return this.get("contentItem", { scope, connectionId, providerContentId });
  }

  /**
   * The content operations respond according to the capabilities of which they need one. With `names` only those whose
   * names begin so, for a connection that was never granted others: it has stored posts only if it lists them.
   */
  async operationsFollow(
    { scope, connectionId }: Connected,
    served: readonly Capability[],
    providerContentId = "",
    url: string | null = "",
    names = "",
  ): Promise<void> {
    const target = { scope, connectionId };
    const window = daysBack(await this.now(), 6);
    const calls = [
      [["CONTENT_LIST"], "content", { ...target, window: { ...window, first: 1 } }],
      [["CONTENT_LIST", "CONTENT_LOOKUP"], "contentItem", { ...target, providerContentId }],
      [["CONTENT_LIST"], "requestRefresh", { ...target, window }],
      [["CONTENT_METRICS"], "requestRefresh", { ...target, providerContentId }],
      [["CONTENT_LOOKUP"], "requestContentLookup", { ...target, url }],
    ] as const;
    for (const [needed, name, args] of calls.filter(([, one]) => one.startsWith(names))) {
      const outcome = await this.callWith(this.api, name, args);
      const what = `${name} (needs ${needed.join(" or ")}) with ${served.join(", ")}`;
      if (!needed.some((one) => served.includes(one))) this.fails(outcome, "CAPABILITY_UNAVAILABLE", what);
      else if (names !== "" && needed[0] === "CONTENT_METRICS") this.fails(outcome, "NOT_FOUND", what);
      else this.value(outcome, what);
    }
  }

  async contentRefused(
    { scope, connectionId }: Connected,
    code: string,
    { id: providerContentId = "1", url = "https://www.instagram.com/p/C0nf0rmance1/" } = {},
  ): Promise<void> {
    const connected = { scope, connectionId };
    const window = daysBack(await this.now(), 30);
    await this.refuses("content", { ...connected, window: { ...window, first: 1 } }, code);
    await this.refuses("contentItem", { ...connected, providerContentId }, code);
    await this.refuses("requestRefresh", { ...connected, window }, code);
    await this.refuses("requestRefresh", { ...connected, providerContentId }, code);
    await this.refuses("requestContentLookup", { ...connected, url }, code);
  }
}
