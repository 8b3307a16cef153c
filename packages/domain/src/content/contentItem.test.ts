import { describe, expect, test } from "vitest";
import { addMs } from "../time/time.ts";
import { EMPTY_CONTENT } from "./contentFields.ts";
import { contentItemAsRead, isContentExpired, oldestServedObservation, type StoredContentItem } from "./contentItem.ts";

const NOW = new Date("2026-03-31T12:00:00.000Z");
const DAY = 24 * 60 * 60_000;

const item: StoredContentItem & { id: string; providerContentId: string } = {
  id: "item-1",
  providerContentId: "post-1",
  kind: "VIDEO",
  ...EMPTY_CONTENT,
  canonicalUrl: "https://provider.example/post-1",
  title: "A title",
  description: "A caption",
  publishedAt: addMs(NOW, -40 * DAY),
  availability: "AVAILABLE",
  reason: null,
  observedAt: addMs(NOW, -DAY),
  metrics: [
    {
      name: "VIEWS",
      value: "12",
      availability: "AVAILABLE",
      reason: null,
      sourceField: "views",
    },
  ],
};
const MEASURED_AT = addMs(NOW, -DAY);

describe("a stored post", () => {
  test("is shown with its metrics to a connection that has CONTENT_METRICS", () => {
    expect(contentItemAsRead(item, MEASURED_AT, NOW, ["CONTENT_LIST", "CONTENT_METRICS"])).toEqual({
      ...item,
      metrics: item.metrics.map((metric) => ({ ...metric, observedAt: MEASURED_AT })),
    });
  });

  test("is shown without metrics to any other", () => {
    expect(contentItemAsRead(item, MEASURED_AT, NOW, ["PROFILE", "CONTENT_LIST", "CONTENT_LOOKUP"])).toEqual({
      ...item,
      metrics: [],
    });
  });

  test.each([
    [30 * DAY - 1, false],
    [30 * DAY, false],
    [30 * DAY + 1, true],
  ])("seen %i ms ago is expired: %s", (ageMs, expired) => {
    const observedAt = addMs(NOW, -ageMs);
    expect(isContentExpired(observedAt, NOW)).toBe(expired);
    expect(observedAt.getTime() < oldestServedObservation(NOW).getTime()).toBe(expired);
    const { reason } = contentItemAsRead({ ...item, observedAt }, MEASURED_AT, NOW, ["CONTENT_METRICS"]);
    expect(reason).toBe(expired ? "EXPIRED" : null);
  });

  test("has nothing left but its ids and when it was seen once it expired", () => {
    const observedAt = addMs(NOW, -31 * DAY);
    expect(contentItemAsRead({ ...item, observedAt }, MEASURED_AT, NOW, ["CONTENT_METRICS"])).toEqual({
      id: "item-1",
      providerContentId: "post-1",
      ...EMPTY_CONTENT,
      kind: "UNKNOWN",
      availability: "UNAVAILABLE",
      reason: "EXPIRED",
      observedAt,
      metrics: [],
    });
  });

  test("keeps why it is unavailable while it is not expired", () => {
    const deleted = { ...item, availability: "UNAVAILABLE", reason: "DELETED_AT_PROVIDER" } as const;
    expect(contentItemAsRead(deleted, MEASURED_AT, NOW, [])).toMatchObject({ reason: "DELETED_AT_PROVIDER" });
  });

  test("shows a number that was read more than 30 days ago as expired, without its value", () => {
    const observedAt = addMs(NOW, -30 * DAY - 1);
    expect(contentItemAsRead(item, observedAt, NOW, ["CONTENT_METRICS"]).metrics).toEqual([
      { ...item.metrics[0], observedAt, value: null, availability: "UNAVAILABLE", reason: "EXPIRED" },
    ]);
  });
});
