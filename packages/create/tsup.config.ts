import { defineConfig } from "tsup";

/** The templates beside `dist` are published unchanged; the program replaces names, versions and ports in them. */
export default defineConfig({
  entry: { index: "src/index.ts", cli: "src/cli.ts" },
  format: ["esm"],
  target: "node22",
  platform: "node",
  dts: { entry: { index: "src/index.ts" } },
  clean: true,
});
