import { defaultClientConditions, defineConfig } from "vite";
import { pruneStyles } from "./src/build/pruneStyles.ts";

/** Browsers that know `light-dark()`, so that styles need no second copy for the dark look. */
const BROWSERS = ["chrome123", "edge123", "firefox121", "safari17.5"];

export default defineConfig({
  root: import.meta.dirname,
  // The service serves the pages below this path, and nothing else of itself there.
  base: "/panel/",
  plugins: [pruneStyles()],
  // The service puts a new value in its place each time it answers with the page.
  html: { cspNonce: "__CSP_NONCE__" },
  resolve: { conditions: ["@social-connect/source", ...defaultClientConditions] },
  build: {
    target: BROWSERS,
    cssTarget: BROWSERS,
    assetsDir: "assets",
    // The policy for content lets no `data:` address in.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: "manifest.json",
    reportCompressedSize: false,
    emptyOutDir: true,
  },
});
