import { PROVIDERS } from "../description/providers.ts";
import { caseForEach, defineCasesWith } from "../harness/defineCase.ts";
import { allContent, connect, connectAndSettle, daysBack, GOOD_ACCOUNT, scan, serviceNow } from "./support/journeys.ts";
import { flip } from "./support/texts.ts";

const DAY_MS = 86_400_000;

export const CONTENT_CASES = defineCasesWith({ needs: ["provider"] }, [
  ...caseForEach(PROVIDERS, (provider) => ({
    id: `S4.content.window-${provider}`,
    title: `After a scan, content at ${provider} has every public post of the window, none from outside it, newest first.`,
    reaches: [
      "operation:content",
      "field:ContentPage.order",
      "field:ContentPage.window",
      "field:ContentPage.complete",
      "enum:SyncStatus.READY",
      `enum:SocialProvider.${provider}`,
    ],
    run: async (t) => {
      const connected = await connectAndSettle(t, { provider });
      const window = daysBack(await serviceNow(t), 40, 3);
      const job = await scan(t, connected, window);
      t.equal([job.status, job.completeForWindow, job.incompleteReason], ["SUCCEEDED", true, null], "the scan");
      const { items, last } = await allContent(t, connected, window);
      t.equal(
        [last.pageInfo.completeForWindow, last.pageInfo.incompleteReason],
        [true, null],
        "the page's completeness",
      );
      t.matches(last.lastSuccessfulSyncAt, /Z$/, "lastSuccessfulSyncAt");
      const times = items.map((item) => item.publishedAt ?? "");
      t.equal(times, times.toSorted().reverse(), "newest first");
      t.holds(
        times.every((time) => time >= window.publishedAfter && time < window.publishedBefore),
        "inside the window",
        times,
      );
      const posts = await t.provider.posts(provider, GOOD_ACCOUNT[provider]);
      const wanted = posts.filter(
        (post) =>
          post.visibility === "public" &&
          post.publishedAt >= window.publishedAfter &&
          post.publishedAt < window.publishedBefore,
      );
      t.holds(wanted.length > 10, "there is something to compare", wanted.length);
      const available = items.filter((item) => item.availability === "AVAILABLE").map((item) => item.providerContentId);
      t.equal(
        wanted.filter((post) => !available.includes(post.id)).map((post) => post.id),
        [],
        "public posts that are missing",
      );
      const row = await t.get("connection", { scope: connected.scope, id: connected.connectionId });
      t.equal(row.syncStatus, "READY", "syncStatus after a scan that covered its window");
    },
  })),
  {
    id: "S4.content.window-boundaries",
    title: "A window includes its start and excludes its end.",
    reaches: ["field:ContentPage.window"],
    run: async (t) => {
      const connected = await connectAndSettle(t, { provider: "PROVIDER_B" });
      await scan(t, connected, daysBack(await serviceNow(t), 30));
      const { items } = await allContent(t, connected, daysBack(await serviceNow(t), 30));
      const [newer, , older] = items;
      const [publishedAfter, publishedBefore] = [older?.publishedAt ?? "", newer?.publishedAt ?? ""];
      const page = await t.get("content", { ...connected, window: { publishedAfter, publishedBefore, first: 50 } });
      const ids = page.items.map((item) => item.id);
      t.holds(ids.includes(older?.id ?? ""), "a post exactly at the start is included");
      t.holds(!ids.includes(newer?.id ?? ""), "a post exactly at the end is excluded");
    },
  },
  {
    id: "S8.content-page.sizes",
    title: "Pages of 1, 7 and 50 return the same posts in the same order, each once; 0 and 51 are refused.",
    reaches: ["limit:content-page", "rule:ContentWindow.first.range", "code:BAD_USER_INPUT"],
    run: async (t) => {
      const connected = await connectAndSettle(t, { provider: "PROVIDER_B" });
      const window = daysBack(await serviceNow(t), 12);
      await scan(t, connected, window);
      const whole = (await allContent(t, connected, window, 50)).items.map((item) => item.id);
      t.holds(whole.length > 7, "several pages of 7", whole.length);
      t.equal(new Set(whole).size, whole.length, "each once");
      for (const first of [1, 7]) {
        t.equal(
          (await allContent(t, connected, window, first)).items.map((item) => item.id),
          whole,
          `${first} a page`,
        );
      }
      for (const first of [0, -1, 51, 2_147_483_647]) {
        await t.refuses("content", { ...connected, window: { ...window, first } }, "BAD_USER_INPUT", `first ${first}`);
      }
    },
  },
  {
    id: "S8.window-span.content",
    title: "A content window may span at most 90 days; it may be neither empty nor reversed.",
    reaches: ["limit:window-span", "rule:ContentWindow.span", "rule:ContentWindow.order", "code:BAD_USER_INPUT"],
    run: async (t) => {
      const connected = await connect(t);
      const publishedAfter = "2026-01-01T00:00:00.000Z";
      const after = (ms: number) => new Date(Date.parse(publishedAfter) + ms).toISOString();
      const read = (publishedBefore: string) => ({
        ...connected,
        window: { publishedAfter, publishedBefore, first: 1 },
      });
      await t.get("content", read(after(90 * DAY_MS)));
      await t.get("content", read(after(1)));
      for (const ms of [90 * DAY_MS + 1, 0, -1, -DAY_MS]) {
        await t.refuses("content", read(after(ms)), "BAD_USER_INPUT", `${ms} ms after the start`);
      }
    },
  },
  {
    id: "S4.content.cursor",
    title:
      "A cursor of content is opaque and bound to its window, connection and subject: altered or foreign it is refused.",
    reaches: ["rule:ContentWindow.after.same-window", "code:BAD_USER_INPUT"],
    run: async (t) => {
      const connected = await connectAndSettle(t, { provider: "PROVIDER_B" });
      const window = daysBack(await serviceNow(t), 12);
      await scan(t, connected, window);
      const { pageInfo, items } = await t.get("content", { ...connected, window: { ...window, first: 2 } });
      const after = pageInfo.endCursor ?? "";
      const plain = Buffer.from(after, "base64url").toString("latin1");
      t.holds(
        !items.some((item) => plain.includes(item.id) || plain.includes(item.providerContentId)),
        "it contains no readable id",
      );
      const shifted = { ...window, publishedBefore: new Date(Date.parse(window.publishedBefore) - 1).toISOString() };
      await t.refuses(
        "content",
        { ...connected, window: { ...shifted, first: 2, after } },
        "BAD_USER_INPUT",
        "another window",
      );
      for (const bad of ["", "x", `${after}A`, flip(after), after.slice(2), "a".repeat(5_000)]) {
        await t.refuses(
          "content",
          { ...connected, window: { ...window, first: 2, after: bad } },
          "BAD_USER_INPUT",
          bad.slice(0, 12),
        );
      }
      const other = await connect(t, { provider: "PROVIDER_B" });
      await t.refuses(
        "content",
        { ...other, window: { ...window, first: 2, after } },
        "BAD_USER_INPUT",
        "another connection",
      );
      const connections = await t.get("connections", { scope: connected.scope, first: 1 });
      if (connections.pageInfo.endCursor !== null) {
        const foreign = { ...window, first: 2, after: connections.pageInfo.endCursor };
        await t.refuses("content", { ...connected, window: foreign }, "BAD_USER_INPUT", "a cursor of connections");
      }
      t.equal(
        (await t.get("content", { ...connected, window: { ...window, first: 5, after } })).items.length,
        5,
        "its own query, with another page size",
      );
    },
  },
  {
    id: "S4.content.paging-stable",
    title: "While new posts arrive, paging with a cursor repeats nothing and omits nothing.",
    holds: ["account:B:street-baker"],
    reaches: ["field:ContentPage.stable"],
    run: async (t) => {
      const connected = await connectAndSettle(t, { provider: "PROVIDER_B", account: "street-baker" });
      const now = await serviceNow(t);
      const window = daysBack(now, 12);
      await scan(t, connected, window);
      const before = (await allContent(t, connected, window)).items.map((item) => item.id);
      const first = await t.get("content", { ...connected, window: { ...window, first: 3 } });
      const published = await t.provider.publish("PROVIDER_B", "street-baker");
      t.equal((await scan(t, connected, window)).status, "SUCCEEDED", "a scan sees the new post");
      const rest = [];
      let after = first.pageInfo.endCursor;
      for (;;) {
        const page = await t.get("content", { ...connected, window: { ...window, first: 3, after } });
        rest.push(...page.items);
        if (!page.pageInfo.hasNextPage) break;
        after = page.pageInfo.endCursor;
      }
      t.equal(
        [...first.items, ...rest].map((item) => item.id),
        before,
        "the pages from the first cursor",
      );
      const anew = (await allContent(t, connected, window)).items;
      t.equal(anew[0]?.providerContentId, published.id, "from the start, the new post is first");
      t.equal(anew.length, before.length + 1, "one more");
    },
  },
  {
    id: "S4.content.empty-account",
    title: "An account without posts has an empty, complete window.",
    reaches: ["operation:content", "field:ContentPage.complete"],
    run: async (t) => {
      for (const provider of PROVIDERS) {
        const connected = await connectAndSettle(t, { provider, account: "empty" });
        const window = daysBack(await serviceNow(t), 20);
        t.equal((await scan(t, connected, window)).completeForWindow, true, `the scan at ${provider}`);
        const page = await t.get("content", { ...connected, window: { ...window, first: 10 } });
        t.equal([page.items, page.pageInfo.hasNextPage, page.pageInfo.completeForWindow], [[], false, true], provider);
      }
    },
  },
]);
