import { describe, expect, it } from "vitest";
import { fakeClient, type RecordedCall, refusal, SCOPE } from "./testing/fakeApi.ts";
import { connection, contentPage, post, WINDOW } from "./testing/samples.ts";

async function collected<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe("content", () => {
  it("iterates over the items of the whole window, with short and empty pages", async () => {
    const pages = [
      contentPage([post("1"), post("2")], "a"),
      contentPage([], "b"),
      contentPage([post("3")], "c"),
      contentPage([]),
    ];
    const { api, user } = fakeClient({ content: pages });
    const posts = await collected(user.content("c", WINDOW, { pageSize: 2 }));
    expect(posts.map((item) => item.providerContentId)).toEqual(["1", "2", "3"]);
    expect(api.calls.map((call) => call.body.variables)).toEqual(
      [undefined, "a", "b", "c"].map((after) => ({
        scope: SCOPE,
        connectionId: "c",
        window: { ...WINDOW, first: 2, ...(after && { after }) },
      })),
    );
  });

  it("reads no page before it is needed", async () => {
    const { api, user } = fakeClient({ content: contentPage([post("1"), post("2")], "a") });
    const listing = user.content("c", WINDOW);
    expect(api.calls).toHaveLength(0);
    for await (const item of listing) if (item.providerContentId === "2") break;
    expect(api.calls).toHaveLength(1);
  });

  it("returns pages with their completeness, and single pages", async () => {
    const { api, user } = fakeClient({ content: [contentPage([post("1")], "a"), contentPage([])] });
    const pages = await collected(user.content("c", WINDOW).pages());
    expect(pages.map((page) => page.pageInfo.completeForWindow)).toEqual([true, true]);
    await user.content("c", WINDOW).page("a");
    expect(api.calls.at(-1)?.body.variables.window).toMatchObject({ after: "a", first: 50 });
  });

  it.each([null, "a"])("stops when the next cursor is %s again", async (endCursor) => {
    const stuck = contentPage([post("1")], "a");
    const turning = { ...stuck, pageInfo: { ...stuck.pageInfo, endCursor } };
    const { api, user } = fakeClient({ content: [stuck, turning] });
    await expect(collected(user.content("c", WINDOW))).rejects.toMatchObject({ kind: "protocol" });
    expect(api.calls).toHaveLength(2);
  });

  it("has at most as many items in an array as its limit, and requests no page beyond", async () => {
    const { api, user } = fakeClient({ content: [contentPage([post("1"), post("2")], "a"), contentPage([post("3")])] });
    const posts = await user.content("c", WINDOW).toArray({ limit: 2 });
    expect(posts.map((item) => item.providerContentId)).toEqual(["1", "2"]);
    expect(api.calls).toHaveLength(1);
  });

  it("stops at a cycle of cursors, with or without posts", async () => {
    for (const items of [[], [post("1")]]) {
      const { api, user } = fakeClient({
        content: ({ body }: RecordedCall) =>
          contentPage(items, Object(body.variables.window).after === "a" ? "b" : "a"),
      });
      await expect(collected(user.content("c", WINDOW))).rejects.toMatchObject({ code: "UNEXPECTED_SHAPE" });
      expect(api.calls).toHaveLength(3);
    }
  });

  it("stops after too many empty pages with new cursors", async () => {
    let count = 0;
    const { user } = fakeClient({
      content: () => {
        count += 1;
        return contentPage([], `cursor-${count}`);
      },
    });
    await expect(collected(user.content("c", WINDOW))).rejects.toMatchObject({ code: "UNEXPECTED_SHAPE" });
    expect(count).toBe(1_000);
  });

  it("rejects when a page fails", async () => {
    const { user } = fakeClient({ content: [contentPage([post("1")], "a"), refusal("RECONNECT_REQUIRED")] });
    const seen: string[] = [];
    const reading = (async () => {
      for await (const item of user.content("c", WINDOW)) seen.push(item.providerContentId);
    })();
    await expect(reading).rejects.toMatchObject({ name: "ReconnectRequiredError" });
    expect(seen).toEqual(["1"]);
  });

  it("refuses an invalid Date before it sends a request", () => {
    const { user } = fakeClient({});
    const window = { ...WINDOW, publishedAfter: new Date("yesterday") };
    expect(() => user.content("c", window)).toThrow("publishedAfter must be a valid Date");
  });
});

describe("connections", () => {
  it("are read over short and empty pages", async () => {
    const page = (ids: readonly string[], endCursor: string | null) => ({
      items: ids.map((id) => connection(id)),
      pageInfo: { endCursor, hasNextPage: endCursor !== null },
    });
    const { api, user } = fakeClient({ connections: [page([], "a"), page(["1"], "b"), page(["2"], null)] });
    const all = await collected(user.connections({ pageSize: 1 }));
    expect(all.map((item) => item.id)).toEqual(["1", "2"]);
    expect(api.calls.map((call) => call.body.variables)).toEqual([
      { scope: SCOPE, first: 1 },
      { scope: SCOPE, first: 1, after: "a" },
      { scope: SCOPE, first: 1, after: "b" },
    ]);
  });
});
