import { expect, test } from "vitest";
import { registration, session } from "../testing/replay.ts";
import { providerA } from "./adapter.ts";
import { channel, entry, list, video } from "./testAnswers.ts";

const DAY = 86_400_000;
const NOW = new Date("2026-09-01T12:00:00Z");

/** A channel with an upload every 56 hours until now, which answers as the provider does, and counts the calls: one unit each. */
function channelOf(count: number) {
  const publishedAt = (index: number) => new Date(NOW.getTime() - (index + 1) * 56 * 3_600_000).toISOString();
  let calls = 0;
  const fetch: typeof globalThis.fetch = async (input) => {
    calls += 1;
    const url = new URL(String(input));
    const answer = () => {
      if (url.pathname.endsWith("/channels")) return channel();
      if (url.pathname.endsWith("/videos")) {
        const ids = url.searchParams.get("id")?.split(",") ?? [];
        return list(ids.map((id) => video(id, publishedAt(Number(id.slice(1))))));
      }
      const [from, size] = [Number(url.searchParams.get("pageToken")), Number(url.searchParams.get("maxResults"))];
      const indexes = Array.from({ length: Math.min(size, count - from) }, (_, index) => from + index);
      const next = from + size < count ? { nextPageToken: String(from + size) } : {};
      return list(
        indexes.map((index) => entry(`v${index}`, publishedAt(index))),
        next,
      );
    };
    return Response.json(answer().body);
  };
  return { read: session(registration("PROVIDER_A", fetch)), calls: () => calls };
}

async function scan(count: number, isDeep: boolean) {
  const { read, calls } = channelOf(count);
  const window = { publishedAfter: new Date(NOW.getTime() - 7 * DAY), publishedBefore: NOW, maxItems: 100, isDeep };
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const page = await providerA.listContent(read, { ...window, cursor, withMetrics: true });
    ids.push(...page.items.map((item) => item.providerContentId));
    expect(page.incompleteReason).toBeNull();
    cursor = page.nextCursor;
  } while (cursor !== null);
  return { ids, calls: calls() };
}

test.each([3, 49, 50, 51, 3_000, 30_000])(
  "a daily scan of a week of %i uploads costs at most 10 units and is complete",
  async (count) => {
    const { ids, calls } = await scan(count, false);
    expect(ids).toEqual(["v0", "v1", "v2"]);
    expect(calls).toBeLessThanOrEqual(10);
  },
);

test("a weekly scan reads further, within a bound that the number of uploads does not change", async () => {
  const [smaller, larger] = [await scan(3_000, true), await scan(30_000, true)];
  expect([smaller.ids, larger.ids]).toEqual([
    ["v0", "v1", "v2"],
    ["v0", "v1", "v2"],
  ]);
  expect(smaller.calls).toBeGreaterThan(10);
  expect(larger.calls).toBe(smaller.calls);
});
