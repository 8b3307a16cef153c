import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { adminSchemaText } from "./schema.ts";

test("the published file matches the served schema", () => {
  const file = new URL("../../../../../packages/contract/admin.graphql", import.meta.url);
  const withoutComments = readFileSync(file, "utf8").replace(/^#.*\n/gm, "");
  expect(withoutComments.trim()).toBe(adminSchemaText.trim());
});
