import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { EVENT_TYPE_NAMES } from "../../packages/contract/src/index.ts";
import { withEventTables } from "./eventsPage.ts";

it("the reference page of events shows the tables (`-u` writes them)", async () => {
  const file = fileURLToPath(new URL("../../docs/reference/events.md", import.meta.url));
  const page = await readFile(file, "utf8");
  await expect(withEventTables(page)).toMatchFileSnapshot(file);
  for (const type of EVENT_TYPE_NAMES) expect(page).toContain(`| \`${type}\` |`);
});
