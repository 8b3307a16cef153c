import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { INSTRUMENTS } from "../src/observability/instruments.ts";
import { ROLE_KINDS } from "../src/platform/roles/plan.ts";
import { METRICS_PAGE, metricsPage } from "./metricsReference.ts";

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");

test("the reference of metrics is that of the table of instruments", () => {
  expect(read(METRICS_PAGE)).toBe(metricsPage());
  for (const name of Object.keys(INSTRUMENTS)) expect(metricsPage().split(`\`${name}\` |`)).toHaveLength(2);
});

test("the pages name only metrics and database roles that exist", () => {
  const roles = ROLE_KINDS.map((kind) => `social_connect_${kind}`);
  const known = new Set([...Object.keys(INSTRUMENTS), ...roles]);
  const pages = ["metrics", "logs", "running", "traces", "database"].map((name) => read(`docs/operations/${name}.md`));
  const named = [...pages.join("\n").matchAll(/\bsocial_connect_[a-z_]+\b/g)].map(([name]) => name);
  const base = (name: string) => (known.has(name) ? name : name.replace(/_(bucket|sum|count)$/, ""));
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !known.has(base(name)))).toEqual([]);
});
