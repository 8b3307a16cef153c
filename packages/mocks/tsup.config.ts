import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { defineConfig } from "tsup";

/** The packages whose types are part of the declarations. */
const BUNDLED = ["contract", "domain", "provider-fixtures"];
const sourceOf = (name: string) => fileURLToPath(new URL(`../${name}/src/index.ts`, import.meta.url));

/** Bundles every dependency, including graphql-js, so that a test loads a few files. MSW is an optional peer dependency. */
export default defineConfig({
  entry: { index: "src/index.ts", msw: "src/msw.ts", node: "src/node.ts", drift: "src/drift.ts", cli: "src/cli.ts" },
  format: ["esm", "cjs"],
  target: "node22",
  platform: "neutral",
  external: [/^node:/, "msw"],
  noExternal: [/^@social-connect\//, /^@noble\//, /^@graphql-inspector\//, "graphql", "hono", "yaml"],
  esbuildOptions: (options) => {
    options.conditions = ["@social-connect/source"];
    // ES modules of graphql-js, for tree shaking.
    options.mainFields = ["module", "main"];
    // Without it, graphql-js validates each value repeatedly, and a response takes twice as long.
    options.define = { ...options.define, "process.env.NODE_ENV": '"production"' };
  },
  esbuildPlugins: [
    {
      // The conformance cases of `drift` read the published schemas from files; this package contains them as strings.
      name: "schema strings",
      setup: (build) => {
        const path = fileURLToPath(new URL("src/drift/schemaTexts.ts", import.meta.url));
        build.onResolve({ filter: /\/schemaTexts\.ts$/ }, ({ importer }) => (importer === path ? null : { path }));
      },
    },
    {
      // A dependency of GraphQL Inspector requires node:util, which its manifest replaces for browsers.
      name: "no util.inspect",
      setup: (build) => {
        build.onLoad({ filter: /object-inspect\/util\.inspect\.js$/ }, () => ({ contents: "module.exports = {};" }));
      },
    },
  ],
  dts: {
    resolve: [...BUNDLED.map((name) => `@social-connect/${name}`), /^\.{1,2}\//],
    // Without paths each file of these packages is one of a library, for which TypeScript checks everything once more.
    compilerOptions: {
      paths: Object.fromEntries(BUNDLED.map((name) => [`@social-connect/${name}`, [sourceOf(name)]])),
    },
  },
  shims: true,
  splitting: true,
  clean: true,
  // The command checks the version of Node, and very old ones cannot parse an import of what only the rest needs.
  onSuccess: async () => {
    await writeFile("dist/cli.js", (await readFile("dist/cli.js", "utf8")).replace(/^import ["'].*\n/gm, ""));
  },
  treeshake: true,
});
