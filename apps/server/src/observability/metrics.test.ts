import { expect, test } from "vitest";
import { ApplicationLabels, MOST_APPLICATIONS, OTHER } from "./applicationLabels.ts";
import { INSTRUMENTS } from "./instruments.ts";
import { mergeMetrics } from "./mergeMetrics.ts";
import { Metrics } from "./metrics.ts";
import { parsePrometheus, valueIn } from "./testing/prometheusText.ts";

const REQUEST = { surface: "consumer", operation: "content", code: "OK" };

async function scrape(metrics: Metrics) {
  return parsePrometheus(await metrics.text({ withState: true }));
}

test("shows what was counted, measured and observed, with the help of the table", async () => {
  const metrics = new Metrics();
  metrics.count("social_connect_requests_total", REQUEST);
  metrics.count("social_connect_requests_total", REQUEST);
  metrics.measure("social_connect_request_duration_seconds", 0.003, { surface: "consumer", operation: "content" });
  metrics.observe(async () => [{ name: "social_connect_ready", value: 1, labels: {} }]);
  const shown = await scrape(metrics);
  expect(valueIn(shown, "social_connect_requests_total", REQUEST)).toBe(2);
  expect(valueIn(shown, "social_connect_request_duration_seconds_bucket", { le: "0.002" })).toBe(0);
  expect(valueIn(shown, "social_connect_request_duration_seconds_bucket", { le: "0.005" })).toBe(1);
  expect(valueIn(shown, "social_connect_ready")).toBe(1);
  const head = `# HELP social_connect_ready ${INSTRUMENTS.social_connect_ready.description}\n# TYPE social_connect_ready gauge\n`;
  expect(await metrics.text({ withState: true })).toContain(head);
});

test("a gauge shows the latest reading only, and a counter keeps its values", async () => {
  const metrics = new Metrics();
  const labels = { lane: "query", application: "one" };
  metrics.observe(async () => [
    { name: "social_connect_calls_in_progress", value: 3, labels },
    { name: "social_connect_calls_refused_total", value: 5, labels },
  ]);
  expect(valueIn(await scrape(metrics), "social_connect_calls_in_progress")).toBe(3);
  metrics.observe(async () => []);
  const later = await scrape(metrics);
  expect(valueIn(later, "social_connect_calls_in_progress")).toBeUndefined();
  expect(valueIn(later, "social_connect_calls_refused_total")).toBe(5);
});

test("scrapes at the same time show the same values", async () => {
  const metrics = new Metrics();
  metrics.observe(async () => [{ name: "social_connect_ready", value: 1, labels: {} }]);
  const shown = await Promise.all([scrape(metrics), scrape(metrics), scrape(metrics)]);
  for (const each of shown) expect(valueIn(each, "social_connect_ready")).toBe(1);
});

test("a reading that fails does not end later scrapes", async () => {
  const metrics = new Metrics();
  metrics.observe(() => Promise.reject(new Error("test")));
  await expect(metrics.text({ withState: true })).rejects.toThrow("test");
  metrics.observe(async () => [{ name: "social_connect_ready", value: 0, labels: {} }]);
  expect(valueIn(await scrape(metrics), "social_connect_ready")).toBe(0);
});

test("names a bounded number of applications and adds up the others", () => {
  const labels = new ApplicationLabels();
  const first = new Map(Array.from({ length: MOST_APPLICATIONS }, (_, index) => [`application-${index}`, 1]));
  expect(labels.sums(first).size).toBe(MOST_APPLICATIONS);
  const sums = labels.sums(new Map([...first, ["late", 2], ["later", 3]]));
  expect(sums.size).toBe(MOST_APPLICATIONS + 1);
  expect(sums.get(OTHER)).toBe(5);
  expect(sums.get("application-0")).toBe(1);
});

test("the metrics of several processes are one valid text with a label for each", async () => {
  const texts = await Promise.all(
    [1, 2].map(async (value) => {
      const metrics = new Metrics();
      metrics.count("social_connect_requests_total", { ...REQUEST, operation: 'odd "name" {}' });
      if (value === 2)
        metrics.count("social_connect_provider_calls_total", { provider: "P", endpoint: "api", result: "ok" });
      metrics.observe(async () => [{ name: "social_connect_ready", value, labels: {} }]);
      return { process: String(value), text: await metrics.text({ withState: false }) };
    }),
  );
  const merged = parsePrometheus(mergeMetrics(texts));
  for (const process of ["1", "2"]) {
    expect(valueIn(merged, "social_connect_ready", { process })).toBe(Number(process));
    expect(valueIn(merged, "social_connect_requests_total", { process, operation: 'odd "name" {}' })).toBe(1);
  }
  expect(valueIn(merged, "social_connect_provider_calls_total")).toBe(1);
});

test("every metric is named in Prometheus' way: its prefix, its unit and `_total` for a counter", () => {
  for (const [name, { kind, description, unit }] of Object.entries(INSTRUMENTS)) {
    expect(name).toMatch(/^social_connect_[a-z_]+$/);
    expect(name.endsWith("_total")).toBe(kind.endsWith("counter"));
    const suffix = { s: "_seconds", By: "_bytes", "": "" }[unit];
    expect(name.replace(/_total$/, "").endsWith(suffix)).toBe(true);
    expect(description).toMatch(/^[A-Z0-9].*\.$/);
  }
});
