import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { RETRY_PAGE, withRetryTable } from "./retryPage.ts";
import { FAILURES } from "./retryTable.ts";

it("the guide shows the retry table that the client is tested with", () => {
  const page = readFileSync(RETRY_PAGE, "utf8");
  expect(page).toBe(withRetryTable(page));
  for (const { name } of FAILURES) expect(page).toContain(`| ${name} | `);
});
