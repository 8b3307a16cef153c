import { existsSync } from "node:fs";
import { cp } from "node:fs/promises";
import { defineConfig } from "tsup";

const PANEL = "../panel/dist";

/**
 * The content of the published package. Code is flat in `dist`, so that a file that locates another relative to itself (a
 * worker's program, the panel) finds it after bundling. Private packages of the workspace are
 * bundled, from their source; everything else stays a dependency.
 */
export default defineConfig({
  entry: {
    cli: "src/cli/cli.ts",
    index: "src/index.ts",
    child: "src/dev/processes/child.ts",
    // The simulator of the compose file in `deploy/compose`.
    sandbox: "src/dev/sandbox.ts",
    // The example application of `social-connect dev`: a separate program, with its style sheet beside it.
    "example/main": "../../examples/web-backend/src/main.ts",
  },
  format: ["esm"],
  target: "node22",
  platform: "node",
  dts: { entry: { index: "src/index.ts" } },
  clean: true,
  noExternal: [/^@social-connect\/(?!contract)/],
  external: ["oidc-provider"],
  esbuildOptions: (options) => {
    options.conditions = ["@social-connect/source"];
  },
  onSuccess: async () => {
    await cp("../../examples/web-backend/src/style.css", "dist/example/style.css");
    if (existsSync(PANEL)) await cp(PANEL, "dist/panel", { recursive: true });
  },
});
