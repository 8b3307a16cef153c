import type { ListRequest, ProviderSession } from "../contract.ts";
import type { ReplayAnswer } from "../testing/replay.ts";
import { fixture, registration, replay, session } from "../testing/replay.ts";

/** Responses and request values for this adapter's tests. */

export const recorded = (name: string) => fixture(import.meta.url, name);
export const media = (id: string, timestamp: string, more: object = {}) => ({
  id,
  media_type: "IMAGE",
  permalink: `https://www.instagram.com/p/CODE${id}/`,
  shortcode: `CODE${id}`,
  timestamp,
  like_count: 3,
  comments_count: 1,
  ...more,
});
export const list = (data: unknown[], paging?: object) => ({
  body: { data, ...(paging === undefined ? {} : { paging }) },
});
export const more = (after: string) => ({
  cursors: { before: "b", after },
  next: `https://graph.instagram.com/v1/me/media?access_token=canary&after=${after}`,
});
export const insight = (name: string, value: number) => ({ name, period: "lifetime", values: [{ value }] });
export const NO_INSIGHTS = { body: { data: [] } };

export function setUp(...answers: ReplayAnswer[]) {
  const upstream = replay(...answers);
  const read = (overrides: Partial<ProviderSession> = {}) =>
    session(registration("PROVIDER_C", upstream.fetch), overrides);
  return { upstream, read };
}

export const WINDOW: ListRequest = {
  publishedAfter: new Date("2026-07-01T00:00:00Z"),
  publishedBefore: new Date("2026-08-01T00:00:00Z"),
  cursor: null,
  maxItems: 100,
  withMetrics: false,
};
export const idsOf = (items: readonly { providerContentId: string }[]) => items.map((item) => item.providerContentId);
export const pathsOf = (upstream: ReturnType<typeof replay>) =>
  upstream.requests.map((request) => request.url.pathname);
