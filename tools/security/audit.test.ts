import { expect, test } from "vitest";
import { readAudit } from "./audit.ts";

const TODAY = new Date("2026-06-15T12:00:00.000Z");
const reportOf = (severity: string) =>
  JSON.stringify({
    advisories: { 1: { github_advisory_id: "GHSA-1", module_name: "left", severity, title: "Prototype pollution" } },
  });
const problems = (output: string, allowances: Parameters<typeof readAudit>[1] = []) => {
  const result = readAudit(output, allowances, TODAY);
  return result.outcome === "asked" ? result.problems : result.outcome;
};
const reason = "The package is used at build time, on our own text.";

test.each(["high", "critical"])("a vulnerability that is %s fails", (severity) => {
  expect(problems(reportOf(severity))).toEqual([`${severity}: left: Prototype pollution (GHSA-1)`]);
});

test.each(["info", "low", "moderate"])("a vulnerability that is %s is reported and passes", (severity) => {
  expect(problems(reportOf(severity))).toEqual([]);
});

test.each(["", "<html>", "null", '{"error":{"code":"ERR_PNPM_AUDIT_BAD_RESPONSE"}}', "[]"])(
  "fails without a report: %s",
  (output) => {
    expect(problems(output)).toBe("not asked");
  },
);

test("a report of an unknown form fails", () => {
  expect(problems('{"vulnerabilities":{}}')).toEqual(["the report of the audit has an unknown form"]);
});

test("an allowance counts until its day, and needs a reason", () => {
  expect(problems(reportOf("high"), [{ id: "GHSA-1", reason, until: "2026-06-15" }])).toEqual([]);
  expect(problems(reportOf("high"), [{ id: "GHSA-1", reason, until: "2026-06-14" }])).toHaveLength(2);
  expect(problems(reportOf("high"), [{ id: "GHSA-1", reason, until: "some day" }])).toHaveLength(2);
  expect(problems(reportOf("high"), [{ id: "GHSA-2", reason, until: "2026-12-31" }])).toHaveLength(1);
  expect(problems(reportOf("low"), [{ id: "GHSA-1", reason: "fine", until: "2026-12-31" }])).toHaveLength(1);
});
