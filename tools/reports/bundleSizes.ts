import { builtinModules } from "node:module";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build } from "esbuild";
import type { WorkspacePackage } from "../packages/publishedPackages.ts";
import { ROOT } from "../packages/publishedPackages.ts";

/** What somebody imports, and how much of a bundle that may be. */
interface Budget {
  readonly package: string;
  readonly what: string;
  /** The import, as a consumer writes it. */
  readonly source: string;
  /** Packages that a consumer brings along, and so does not get from us. */
  readonly brought?: readonly string[];
  /** Most that the bundle may be, minified and gzipped, with every dependency in it. */
  readonly mostGzipBytes: number;
}

export const BUDGETS: readonly Budget[] = [
  {
    package: "@social-connect/sdk",
    what: "everything",
    source: 'export * from "@social-connect/sdk";',
    mostGzipBytes: 20_000,
  },
  {
    package: "@social-connect/sdk",
    what: "the client and the launch page",
    source: 'export { launchPage, SocialConnect } from "@social-connect/sdk";',
    mostGzipBytes: 20_000,
  },
  {
    package: "@social-connect/admin-sdk",
    what: "everything",
    source: 'export * from "@social-connect/admin-sdk";',
    // It runs in scripts. Half of it is the reader of YAML.
    mostGzipBytes: 70_000,
  },
  {
    package: "@social-connect/contract",
    what: "everything",
    source: 'export * from "@social-connect/contract";',
    mostGzipBytes: 3_000,
  },
  {
    package: "@social-connect/mocks",
    what: "everything, beside graphql and msw",
    source: 'export * from "@social-connect/mocks";',
    brought: ["graphql", "msw"],
    mostGzipBytes: 130_000,
  },
];

export interface BundleSize {
  readonly package: string;
  readonly what: string;
  readonly minifiedBytes: number;
  readonly gzipBytes: number;
  readonly brotliBytes: number;
  readonly mostGzipBytes: number;
}

/** Bundles what a consumer of the built packages would and measures it; packages that are not there are left out. */
export async function measureBundles(packages: readonly WorkspacePackage[]): Promise<readonly BundleSize[]> {
  const measured = BUDGETS.flatMap((budget) => {
    const source = packages.find(({ name }) => name === budget.package);
    return source === undefined ? [] : [measure(source, budget)];
  });
  return Promise.all(measured);
}

async function measure({ folder, name }: WorkspacePackage, budget: Budget): Promise<BundleSize> {
  const { outputFiles } = await build({
    // A package finds itself by its own name, and its dependencies as a consumer's bundler would.
    stdin: { contents: budget.source, resolveDir: join(ROOT, folder), loader: "js" },
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    target: "es2022",
    // Neither the source nor the build that refuses to load.
    conditions: ["node", "import", "module"],
    platform: "neutral",
    mainFields: ["module", "main"],
    external: [...(budget.brought ?? []), ...builtinModules, ...builtinModules.map((module) => `node:${module}`)],
    legalComments: "none",
    logLevel: "error",
  });
  const text = outputFiles[0]?.contents ?? new Uint8Array();
  return {
    package: name,
    what: budget.what,
    minifiedBytes: text.byteLength,
    gzipBytes: gzipSync(text, { level: 9 }).byteLength,
    brotliBytes: brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).byteLength,
    mostGzipBytes: budget.mostGzipBytes,
  };
}
