import type { ListRequest, ProviderSession } from "../contract.ts";
import type { ReplayAnswer } from "../testing/replay.ts";
import { fixture, registration, replay, session } from "../testing/replay.ts";

/** Responses and request values for this adapter's tests. */

export const recorded = (name: string) => fixture(import.meta.url, name);
export const OK = { code: "ok", message: "", log_id: "1" };
export const seconds = (iso: string) => Date.parse(iso) / 1_000;
export const video = (id: string, published: string, more: object = {}) => ({
  id,
  title: `Video ${id}`,
  create_time: seconds(published),
  view_count: 10,
  like_count: 2,
  comment_count: 1,
  share_count: 0,
  ...more,
});
export const list = (videos: unknown[], rest: object = {}) => ({
  body: { data: { videos, has_more: false, cursor: 0, ...rest }, error: OK },
});

export function setUp(...answers: ReplayAnswer[]) {
  const upstream = replay(...answers);
  const read = (overrides: Partial<ProviderSession> = {}) =>
    session(registration("PROVIDER_B", upstream.fetch), overrides);
  return { upstream, read };
}

export const WINDOW: ListRequest = {
  publishedAfter: new Date("2026-08-01T00:00:00Z"),
  publishedBefore: new Date("2026-09-01T00:00:00Z"),
  cursor: null,
  maxItems: 100,
  withMetrics: true,
};
export const idsOf = (items: readonly { providerContentId: string }[]) => items.map((item) => item.providerContentId);
