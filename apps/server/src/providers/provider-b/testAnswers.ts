import { type ReplayAnswer, recordings, replayTo } from "../testing/replay.ts";

export { AUGUST as WINDOW } from "../testing/replay.ts";

/** Responses and request values for this adapter's tests. */

export const { recorded, said } = recordings(import.meta.url);
export const setUp = (...answers: ReplayAnswer[]) => replayTo("PROVIDER_B", ...answers);
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
