import type { ListRequest } from "../contract.ts";
import { type Replay, type ReplayAnswer, recordings, replayTo } from "../testing/replay.ts";

/** Responses and request values for this adapter's tests. */

export const { recorded, said } = recordings(import.meta.url);
export const setUp = (...answers: ReplayAnswer[]) => replayTo("PROVIDER_C", ...answers);
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

export const WINDOW: ListRequest = {
  publishedAfter: new Date("2026-07-01T00:00:00Z"),
  publishedBefore: new Date("2026-08-01T00:00:00Z"),
  cursor: null,
  maxItems: 100,
  withMetrics: false,
};
export const pathsOf = (upstream: Replay) => upstream.requests.map((request) => request.url.pathname);
