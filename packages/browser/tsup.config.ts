import { defineConfig } from "tsup";

/** Each entry point is one file, so that a page without a bundler can load it unchanged. */
export default defineConfig({
  entry: { index: "src/index.ts", react: "src/react.ts" },
  format: ["esm", "cjs"],
  target: "es2022",
  platform: "browser",
  external: ["react"],
  dts: true,
  splitting: false,
  clean: true,
  sourcemap: true,
  // Another tree shaker would drop `"use client"` from the React components.
  treeshake: false,
  minify: false,
});
