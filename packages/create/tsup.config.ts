import { readFile, writeFile } from "node:fs/promises";
import { defineConfig } from "tsup";

/** The templates beside `dist` are published unchanged; the program replaces names, versions and ports in them. */
export default defineConfig({
  entry: { index: "src/index.ts", cli: "src/cli.ts" },
  format: ["esm"],
  target: "node22",
  platform: "node",
  dts: { entry: { index: "src/index.ts" } },
  noExternal: ["@social-connect/sdk-core"],
  clean: true,
  // The command checks the version of Node, and very old ones cannot parse an import of what only the rest needs.
  onSuccess: async () => {
    await writeFile("dist/cli.js", (await readFile("dist/cli.js", "utf8")).replace(/^import ["'].*\n/gm, ""));
  },
});
