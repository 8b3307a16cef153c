import type { Options } from "tsup";

/**
 * How an SDK is bundled: both module formats with their own types, since a CommonJS consumer must not be given the types
 * of an ES module; the private part that both SDKs share and graphql-request are taken in, so that what a caller installs
 * brings nothing along that could clash with what the caller has.
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
    // Each door is one file: the one that refuses must not bring along what it refuses.
    splitting: false,
    clean: true,
    sourcemap: true,
    treeshake: true,
    // The files are read by people who look for a fault; whoever bundles them makes them smaller anyway.
    minify: false,
  };
}
