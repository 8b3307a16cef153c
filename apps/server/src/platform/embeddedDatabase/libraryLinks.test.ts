import { mkdir, readFile, readlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folder, useFolderPerTest } from "../testing/folderPerTest.ts";
import { makeLibraryLinks } from "./libraryLinks.ts";

useFolderPerTest();

test("creates missing links of libraries, and changes nothing the second time", async () => {
  const library = join(folder, "native", "lib");
  await mkdir(library, { recursive: true });
  await writeFile(join(library, "libdata.so.60.2"), "library");
  const links = [
    { source: "native/lib/libdata.so.60.2", target: "native/lib/libdata.so.60" },
    { source: "native/lib/libdata.so.60.2", target: "native/lib/libdata.so" },
  ];
  await writeFile(join(folder, "native", "pg-symlinks.json"), JSON.stringify(links));
  await makeLibraryLinks(folder);
  await makeLibraryLinks(folder);
  for (const name of ["libdata.so", "libdata.so.60"]) {
    expect(await readlink(join(library, name))).toBe("libdata.so.60.2");
    expect(await readFile(join(library, name), "utf8")).toBe("library");
  }
});

test("a platform without a list of links needs none", async () => {
  await expect(makeLibraryLinks(join(tmpdir(), "social-connect-no-such-package"))).resolves.toBeUndefined();
});
