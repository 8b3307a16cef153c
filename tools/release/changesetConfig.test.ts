import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listPublished, ROOT } from "../packages/publishedPackages.ts";

test("every published package is released with the others, under one version", () => {
  const { fixed, access } = JSON.parse(readFileSync(join(ROOT, ".changeset/config.json"), "utf8"));
  const packages = listPublished();
  expect(fixed).toEqual([packages.map(({ name }) => name)]);
  expect(new Set(packages.map(({ manifest }) => manifest.version)).size).toBe(1);
  expect(access).toBe("public");
});
