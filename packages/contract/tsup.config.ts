import { defineConfig } from "tsup";

/** Both module formats with their own types, because a CommonJS consumer cannot use the types of an ES module. */
export default defineConfig({
  entry: ["src/index.ts"],
  format: ["esm", "cjs"],
  dts: true,
  clean: true,
  target: "node22",
  platform: "neutral",
});
