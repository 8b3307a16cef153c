import { fileURLToPath } from "node:url";
import { defaultClientConditions, defineConfig } from "vite";
import { libraryStyles } from "./src/build/libraryStyles.ts";

/** The first versions that support `light-dark()`, so that styles need no copy for dark mode. */
const BROWSERS = ["chrome123", "edge123", "firefox121", "safari17.5"];

/** What every page with a list or a search field needs. */
const LISTS =
  /src\/(?:api\/result|ui\/(?:DataTable|PagedTable|StatusBadge|labels|usePages))|\/core\/esm\/components\/(?:Input|InputBase|TextInput)\//;

export default defineConfig({
  root: import.meta.dirname,
  // The service reserves this path for the panel.
  base: "/panel/",
  plugins: [libraryStyles()],
  // The service replaces this placeholder in every response.
  html: { cspNonce: "__CSP_NONCE__" },
  resolve: {
    conditions: ["@social-connect/source", ...defaultClientConditions],
    // Documents are strings, so graphql-request needs no parser of graphql-js.
    alias: { graphql: fileURLToPath(new URL("../../packages/sdk-core/bundle/graphql.ts", import.meta.url)) },
  },
  build: {
    target: BROWSERS,
    cssTarget: BROWSERS,
    assetsDir: "assets",
    // The Content Security Policy blocks `data:` URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The server's package adds it to its notices.
    license: { fileName: "licenses.json" },
    reportCompressedSize: false,
    emptyOutDir: true,
    rolldownOptions: {
      output: {
        // One file for everything that the first page needs: each file would add to the time of the first load.
        codeSplitting: {
          groups: [
            { name: "panel", tags: ["$initial"] },
            { name: "lists", test: LISTS },
            { name: "forms", test: /src\/(?:forms|confirmation)\// },
          ],
        },
      },
    },
  },
});
