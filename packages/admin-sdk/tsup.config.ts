import { builtinModules } from "node:module";
import { defineConfig } from "tsup";
import { sdkBundle } from "../sdk-core/bundle/tsupOptions.ts";

const library = sdkBundle({ index: "src/index.ts" });

const shared = {
  ...library,
  // The maps would be three quarters of the tarball, and the code is readable without them.
  sourcemap: false,
  // The contract and the domain are private packages. The used parts of yaml and zod are small.
  noExternal: [...(library.noExternal ?? []), "@social-connect/domain", "@social-connect/contract", "yaml", "zod"],
  esbuildOptions: (options, context) => {
    library.esbuildOptions?.(options, context);
    // Uses the source of the private packages, so that they do not have to be built first.
    options.conditions = ["@social-connect/source", "module"];
  },
} satisfies typeof library;

export default defineConfig([
  shared,
  {
    ...shared,
    entry: { cli: "src/cli/main.ts" },
    format: ["esm"],
    external: builtinModules.map((name) => `node:${name}`),
    removeNodeProtocol: false,
    dts: false,
    // The other build cleans the folder and may already be complete.
    clean: false,
  },
]);
