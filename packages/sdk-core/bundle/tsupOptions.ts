import type { Options } from "tsup";
import { graphqlRequestOfStrings } from "./graphqlRequest.ts";

/**
 * Bundles an SDK in both module formats, each with its own types, because a CommonJS consumer cannot use the types of
 * an ES module. The shared private package and graphql-request are bundled, so the SDKs have no dependencies that could
 * conflict with the caller's.
 */
export function sdkBundle(entry: Record<string, string>) {
  return {
    entry,
    format: ["esm", "cjs"],
    target: "node22",
    platform: "neutral",
    noExternal: ["@social-connect/sdk-core", "graphql-request", "graphql"],
    dts: {
      resolve: ["@social-connect/sdk-core", /^\.{1,2}\//],
      // Its subpaths, which would be left as imports of a private package.
      compilerOptions: { paths: { "@social-connect/sdk-core/*": [new URL("../src/*.ts", import.meta.url).pathname] } },
    },
    esbuildPlugins: [graphqlRequestOfStrings],
    esbuildOptions: (options) => {
      options.alias = { graphql: new URL("graphql.ts", import.meta.url).pathname };
    },
    splitting: false,
    // Builds of one package run side by side: its script empties the folder first.
    clean: false,
    // A file that is imported for nothing would be loaded, and be in a bundle.
    treeshake: { moduleSideEffects: false },
    // Readable in stack traces; a caller's bundler minifies it.
    minify: false,
  } satisfies Options;
}
