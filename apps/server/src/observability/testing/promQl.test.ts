import { expect, test } from "vitest";
import { evaluate, metricsIn, type Scrape } from "./promQl.ts";

function scrape(atSeconds: number, values: Readonly<Record<string, number>>): Scrape {
  const samples = Object.entries(values).map(([text, value]) => {
    const [name = "", labels = ""] = text.split("|");
    return {
      name,
      labels: Object.fromEntries(
        labels
          .split(",")
          .filter(Boolean)
          .map((pair) => pair.split("=")),
      ),
      value,
    };
  });
  return { atSeconds, samples };
}

const SCRAPES = [
  scrape(0, {
    "calls_total|code=OK,app=a": 0,
    "calls_total|code=BAD,app=a": 0,
    "t_bucket|le=1": 0,
    "t_bucket|le=2": 0,
    "t_bucket|le=+Inf": 0,
  }),
  scrape(100, {
    "calls_total|code=OK,app=a": 300,
    "calls_total|code=BAD,app=a": 100,
    "t_bucket|le=1": 50,
    "t_bucket|le=2": 100,
    "t_bucket|le=+Inf": 100,
  }),
];

test.each<[string, readonly unknown[]]>([
  ["1 + 2 * 3", [{ labels: {}, value: 7 }]],
  ["time()", [{ labels: {}, value: 100 }]],
  ['calls_total{code="OK"}', [{ labels: { code: "OK", app: "a" }, value: 300 }]],
  ['calls_total{code!~"OK|NO"}', [{ labels: { code: "BAD", app: "a" }, value: 100 }]],
  ["sum by (app) (calls_total)", [{ labels: { app: "a" }, value: 400 }]],
  ["max(calls_total) > 300", []],
  ["sum(rate(calls_total[5m])) == 4", [{ labels: {}, value: 4 }]],
  ['sum(increase(calls_total{code="BAD"}[5m]))', [{ labels: {}, value: 100 }]],
  ['sum by (app) (calls_total{code="BAD"}) / sum by (app) (calls_total)', [{ labels: { app: "a" }, value: 0.25 }]],
  ["histogram_quantile(0.75, sum by (le) (rate(t_bucket[5m])))", [{ labels: {}, value: 1.5 }]],
  ["absent_metric > 0", []],
])("evaluates %s", (expression, result) => {
  expect(evaluate(expression, SCRAPES)).toEqual(result);
});

test("a counter that was started again continues from zero, and scrapes before the window do not count", () => {
  const restarted = [scrape(0, { c: 1_000 }), scrape(400, { c: 50 }), scrape(500, { c: 10 }), scrape(600, { c: 30 })];
  expect(evaluate("increase(c[5m])", restarted)).toEqual([{ labels: {}, value: 30 }]);
});

test("refuses what is not PromQL, or not supported", () => {
  expect(() => metricsIn("sum(")).toThrow("Not PromQL");
  expect(() => evaluate("avg(calls_total)", SCRAPES)).toThrow("not supported");
  expect(metricsIn("sum(rate(a[5m])) / max(b) > 0")).toEqual(["a", "b"]);
});
