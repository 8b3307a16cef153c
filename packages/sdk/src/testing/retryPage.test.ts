import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { withRetryTable } from "./retryPage.ts";
import { FAILURES } from "./retryTable.ts";

const RETRY_PAGE = fileURLToPath(new URL("../../../../docs/reference/retries.md", import.meta.url));

it("the guide shows the retry table that the client is tested with (`-u` writes it)", async () => {
  const page = readFileSync(RETRY_PAGE, "utf8");
  await expect(withRetryTable(page)).toMatchFileSnapshot(RETRY_PAGE);
  for (const { name } of FAILURES) expect(page).toContain(`| ${name} | `);
});
