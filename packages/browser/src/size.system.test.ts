import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, test } from "vitest";

const MOST_BYTES = 3_000;

async function sizeOf(entry: string): Promise<number> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(entry, import.meta.url))],
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    target: "es2022",
    external: ["react"],
    logLevel: "error",
  });
  return gzipSync(outputFiles[0]?.contents ?? "", { level: 9 }).byteLength;
}

test.each(["index.ts", "react.ts"])("%s is smaller than 3 kB, compressed", async (entry) => {
  const bytes = await sizeOf(entry);
  expect(bytes).toBeGreaterThan(500);
  expect(bytes).toBeLessThan(MOST_BYTES);
});
