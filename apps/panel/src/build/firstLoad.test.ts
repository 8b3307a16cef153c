import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkFirstLoad, measureFirstLoad } from "./firstLoad.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "social-connect-panel-"));
  await mkdir(join(folder, "assets"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Random bytes do not compress, so that compressed and original sizes are equal. */
async function write(sizes: Readonly<Record<string, number>>): Promise<void> {
  await writeFile(join(folder, "index.html"), "");
  for (const [name, bytes] of Object.entries(sizes)) await writeFile(join(folder, name), randomBytes(bytes));
  const manifest = {
    "index.html": {
      file: "assets/main.js",
      isEntry: true,
      imports: ["shared"],
      dynamicImports: ["small", "large"],
      css: ["assets/main.css"],
    },
    shared: { file: "assets/shared.js" },
    small: { file: "assets/small.js", imports: ["index.html"] },
    large: { file: "assets/large.js", imports: ["index.html", "part"] },
    part: { file: "assets/part.js" },
  };
  await writeFile(join(folder, "manifest.json"), JSON.stringify(manifest));
}

const SIZES = {
  "assets/main.js": 50_000,
  "assets/main.css": 20_000,
  "assets/shared.js": 30_000,
  "assets/small.js": 1_000,
  "assets/large.js": 60_000,
  "assets/part.js": 40_000,
};

test("measures the shared files and those of the largest page", async () => {
  await write(SIZES);
  const { page, bytes } = await measureFirstLoad(folder);
  expect(page).toBe("large");
  expect(bytes).toBeGreaterThan(200_000);
  expect(bytes).toBeLessThan(201_000);
  await expect(checkFirstLoad(folder)).resolves.toMatchObject({ page: "large" });
});

test("rejects a build over the limit and names the page", async () => {
  await write({ ...SIZES, "assets/part.js": 90_000 });
  await expect(checkFirstLoad(folder)).rejects.toThrow(
    /^The first load of large is 25\d{4} bytes compressed; the limit is/,
  );
});
