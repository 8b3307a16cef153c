import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { situationTable } from "./testing/situations.ts";

test("the README has the table of the situations that are tested in a browser", () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const [, table] = /<!-- situations -->\n(.*?)<!-- \/situations -->/s.exec(readme) ?? [];
  expect(table).toBe(`${situationTable()}\n`);
});
