import { fileURLToPath } from "node:url";
import { defineConfig } from "tsup";

/**
 * Everything is taken in, graphql-js too: a test needs this package alone, and loads a few files in place of a hundred. MSW
 * is the one thing that a test may bring along.
 */
export default defineConfig({
  entry: { index: "src/index.ts", msw: "src/msw.ts", node: "src/node.ts", drift: "src/drift.ts", cli: "src/cli.ts" },
  format: ["esm", "cjs"],
  target: "node20",
  platform: "neutral",
  external: [/^node:/, "msw"],
  noExternal: [/^@social-connect\//, /^@noble\//, /^@graphql-inspector\//, "graphql"],
  esbuildOptions: (options) => {
    options.conditions = ["@social-connect/source"];
    // graphql-js as ES modules, of which what is not used is left out.
    options.mainFields = ["module", "main"];
    // graphql-js looks at each value several times over while it is not told this: an answer takes twice as long.
    options.define = { ...options.define, "process.env.NODE_ENV": '"production"' };
  },
  esbuildPlugins: [
    {
      // The conformance cases that `drift` runs read the published schemas from files, which this package has as texts.
      name: "schema texts",
      setup: (build) => {
        const path = fileURLToPath(new URL("src/drift/schemaTexts.ts", import.meta.url));
        build.onResolve({ filter: /\/schemaTexts\.ts$/ }, ({ importer }) => (importer === path ? null : { path }));
      },
    },
    {
      // A dependency of graphql-inspector looks for node:util, which its own manifest removes for browsers.
      name: "no util.inspect",
      setup: (build) => {
        build.onLoad({ filter: /object-inspect\/util\.inspect\.js$/ }, () => ({ contents: "module.exports = {};" }));
      },
    },
  ],
  dts: { resolve: ["@social-connect/contract", "@social-connect/domain", /^\.{1,2}\//] },
  shims: true,
  splitting: true,
  clean: true,
  sourcemap: true,
  treeshake: true,
});
