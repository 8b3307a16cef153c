import { defaultClientConditions, defineConfig } from "vite";
import { pruneStyles } from "./src/build/pruneStyles.ts";

/** The first versions that support `light-dark()`, so that styles need no copy for dark mode. */
const BROWSERS = ["chrome123", "edge123", "firefox121", "safari17.5"];

export default defineConfig({
  root: import.meta.dirname,
  // The service reserves this path for the panel.
  base: "/panel/",
  plugins: [pruneStyles()],
  // The service replaces this placeholder in every response.
  html: { cspNonce: "__CSP_NONCE__" },
  resolve: { conditions: ["@social-connect/source", ...defaultClientConditions] },
  build: {
    target: BROWSERS,
    cssTarget: BROWSERS,
    assetsDir: "assets",
    // The Content Security Policy blocks `data:` URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: "manifest.json",
    // The server's package adds it to its notices.
    license: { fileName: "licenses.json" },
    reportCompressedSize: false,
    emptyOutDir: true,
  },
});
