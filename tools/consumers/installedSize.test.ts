import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { checkSize, MOST_INSTALLED_MB, measureInstalled } from "./installedSize.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "social-connect-size-"));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

async function install(name: string, bytes: number): Promise<void> {
  const place = join(folder, "node_modules", name, "dist");
  await mkdir(place, { recursive: true });
  await writeFile(join(place, "index.js"), Buffer.alloc(bytes, "x"));
}

test("adds what every package takes, and names the largest first", async () => {
  await install("small", 1_200_000);
  await install("@scope/large", 2_400_000);
  const { megabytes, largest } = await measureInstalled(folder);
  expect(megabytes).toBe(4);
  expect(largest).toMatch(/^@scope\/large 2\.\d, small 1\.\d/);
});

test("an installation above the bound fails, with the packages to blame", () => {
  expect(() => checkSize({ megabytes: MOST_INSTALLED_MB, largest: "" })).not.toThrow();
  expect(() => checkSize({ megabytes: MOST_INSTALLED_MB + 1, largest: "engine 78.0" })).toThrow(
    `node_modules has ${MOST_INSTALLED_MB + 1} MB, more than ${MOST_INSTALLED_MB}; the largest packages: engine 78.0`,
  );
});
