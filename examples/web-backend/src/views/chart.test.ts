import { expect, it } from "vitest";
import { segments, viewsChart } from "./chart.ts";

const reading = (day: number, views: string | null) => ({
  at: `2026-06-${String(day).padStart(2, "0")}T12:00:00.000Z`,
  views,
});

it("joins readings that follow each other", () => {
  const readings = [reading(1, "1"), reading(2, "2"), reading(3, "3")];
  expect(segments(readings)).toEqual([readings]);
});

it("leaves a gap where the provider gave no number, and where nothing was read for more than two days", () => {
  const [one, two, three, four, five, six] = [1, 2, 4, 5, 9, 10].map((day) => reading(day, String(day)));
  const missing = reading(3, null);
  expect(segments([one, two, missing, three, four, five, six].flatMap((known) => known ?? []))).toEqual([
    [one, two],
    [three, four],
    [five, six],
  ]);
});

it("says in the table that a number was not given, and never draws it as 0", async () => {
  const text = String(await viewsChart([reading(1, "5"), reading(2, null), reading(3, "7")]));
  expect(text).toContain('<td class="missing">not given</td>');
  expect(text.match(/<circle/g)).toHaveLength(2);
  expect(text).not.toContain("<polyline");
});

it("draws equal numbers in the middle, and nothing without a number", async () => {
  const text = String(await viewsChart([reading(1, "7"), reading(2, "7")]));
  expect(text).toContain('points="16,100 624,100"');
  expect(String(await viewsChart([reading(1, null)]))).toBe("");
});
