import { existsSync } from "node:fs";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { defineConfig } from "tsup";
import { type Metafile, writeNotices } from "../../tools/packages/bundledPackages.ts";

const PANEL = "../panel/dist";
const LICENSES = "licenses.json";
const QUERY_COMPILER = "queryCompiler.wasm";
/** Prisma's client is a CommonJS module, which requires Node's own modules. */
const REQUIRE =
  'import { createRequire as requireFrom } from "node:module";\nconst require = requireFrom(import.meta.url);';
let built: Metafile | undefined;

/**
 * The content of the published package. Code is flat in `dist`, so that a file that locates another relative to itself (a
 * worker's program, the panel) finds it after bundling. Private packages of the workspace are bundled, from their source.
 * Prisma and Pothos are bundled too: their packages are 80 MB, mostly query compilers of other databases, and the service
 * uses 3 MB of them. What `dependencies` lists stays a dependency.
 */
export default defineConfig({
  entry: {
    cli: "cli.ts",
    index: "src/index.ts",
    child: "src/dev/processes/child.ts",
    // The simulator of the compose file in `deploy/compose`.
    sandbox: "src/dev/sandbox.ts",
    // The example application of `social-connect dev`: a separate program, with its style sheet and script beside it.
    "example/main": "../../examples/web-backend/src/main.ts",
  },
  format: ["esm"],
  target: "node22",
  platform: "node",
  dts: { entry: { index: "src/index.ts" } },
  clean: true,
  noExternal: [/^@social-connect\/(?!contract)/],
  external: ["oidc-provider"],
  banner: { js: REQUIRE },
  esbuildPlugins: [
    {
      // As text in a module, each process would hold its 2 MB three times.
      name: "query compiler",
      setup: (build) => {
        build.onLoad({ filter: /query_compiler\w+\.postgresql\.wasm-base64/ }, async ({ path }) => {
          const { wasm } = await import(path);
          await mkdir("dist", { recursive: true });
          await writeFile(`dist/${QUERY_COMPILER}`, Buffer.from(wasm, "base64"));
          const file = `new URL("${QUERY_COMPILER}", import.meta.url)`;
          return { contents: `import { readFileSync } from "node:fs";\nexport const wasm = readFileSync(${file});` };
        });
      },
    },
    {
      name: "notices",
      setup: (build) => {
        build.initialOptions.metafile = true;
        build.onEnd(({ metafile }) => {
          built = metafile;
        });
      },
    },
  ],
  esbuildOptions: (options) => {
    options.conditions = ["@social-connect/source"];
  },
  onSuccess: async () => {
    if (built === undefined) throw new Error("the build gave no metafile to read the bundled packages from");
    // It checks Node's version in versions that cannot load the banner.
    await writeFile("dist/cli.js", (await readFile("dist/cli.js", "utf8")).replace(REQUIRE, ""));
    await cp("../../examples/web-backend/src/public", "dist/example/public", { recursive: true });
    const hasPanel = existsSync(PANEL);
    const licenseFiles = hasPanel ? [join(PANEL, LICENSES)] : [];
    await writeNotices(built, { root: import.meta.dirname, folder: "dist", licenseFiles });
    if (!hasPanel) return;
    await cp(PANEL, "dist/panel", { recursive: true, filter: (path) => basename(path) !== LICENSES });
  },
});
