import { builtinModules } from "node:module";
import { defineConfig, type Options } from "tsup";
import { sdkBundle } from "../sdk-core/bundle/tsupOptions.ts";

const INDEX = { index: "src/index.ts" };
const library = sdkBundle(INDEX);

const shared = {
  ...library,
  // The contract and the domain are private packages.
  noExternal: [...library.noExternal, "@social-connect/domain", "@social-connect/contract", "yaml"],
  esbuildOptions: (options) => {
    library.esbuildOptions(options);
    // Uses the source of the private packages, so that they do not have to be built first.
    options.conditions = ["@social-connect/source", "module"];
  },
} satisfies Options;

export default defineConfig([
  {
    ...shared,
    // Separate files, so that an application that parses no declarations bundles neither their parser nor their schema.
    entry: {
      ...INDEX,
      errorClasses: "src/errorClasses.ts",
      createAdmin: "src/createAdmin.ts",
      parseDeclarations: "src/declaration/parseDeclarations.ts",
    },
    format: ["esm"],
    dts: { ...library.dts, entry: INDEX },
    splitting: true,
  },
  { ...shared, format: ["cjs"] },
  {
    ...shared,
    // The check of Node's version loads the rest, which an old Node cannot parse, from another file.
    entry: { cli: "src/cli/start.ts" },
    splitting: true,
    format: ["esm"],
    external: builtinModules.map((name) => `node:${name}`),
    removeNodeProtocol: false,
    dts: false,
  },
]);
