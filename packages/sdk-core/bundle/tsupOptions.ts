import type { Options } from "tsup";

/**
 * Bundles an SDK in both module formats, each with its own types, because a CommonJS consumer cannot use the types of
 * an ES module. The shared private package and graphql-request are bundled, so the SDKs have no dependencies that could
 * conflict with the caller's.
 */
export function sdkBundle(entry: Record<string, string>): Options {
  return {
    entry,
    format: ["esm", "cjs"],
    target: "node20",
    platform: "neutral",
    noExternal: ["@social-connect/sdk-core", "graphql-request", "graphql"],
    dts: { resolve: ["@social-connect/sdk-core", /^\.{1,2}\//] },
    esbuildOptions: (options) => {
      options.alias = { graphql: new URL("graphql.ts", import.meta.url).pathname };
    },
    // One file per entry point: the browser entry point must not include the code that it refuses to run.
    splitting: false,
    clean: true,
    sourcemap: true,
    treeshake: true,
    // Readable in stack traces; a caller's bundler minifies it.
    minify: false,
  };
}
