import { builtinModules } from "node:module";
import { basename, join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build, type Metafile } from "esbuild";
import { ROOT } from "../packages/publishedPackages.ts";
import type { ReportFile } from "./llmsText.ts";

/** An import and the largest bundle that it may produce. */
interface Budget {
  readonly package: string;
  readonly what: string;
  /** The import, as a consumer writes it. */
  readonly source: string;
  /** Peer dependencies, which are not part of the bundle. */
  readonly external: readonly string[];
  /** Without files that are loaded when needed, for an import that needs none of them. */
  readonly isOneFile?: true;
  /** The maximum size, minified and gzipped, with every other dependency. */
  readonly mostGzipBytes: number;
}

const BUDGETS: readonly Budget[] = [
  // It runs on servers. A tenth of it names what refused a request, and recognizes each runtime's errors of the network.
  budget("sdk", "everything", "*", 24_800),
  budget("sdk", "the client and the launch page", "{ launchPage, SocialConnect }", 24_000),
  ...["RateLimitedError", "TransportError"].map((name) => errorClass("sdk", name)),
  budget("sdk/opentelemetry", "OpenTelemetry, except its API and the client", "*", 2_500, ["@opentelemetry/api"]),
  budget("sdk/events", "`receiveEvent` and its error", "*", 3_000),
  budget("browser", "everything except the React button", "*", 3_000),
  budget("browser/react", "the React button, except react", "*", 3_000, ["react"]),
  budget("admin-sdk", "the client, except what it loads to plan and apply declarations", "{ createAdmin }", 21_500),
  ...["ConflictError", "PlanRefusedError"].map((name) => errorClass("admin-sdk", name)),
  // It runs in scripts. Half of it is the YAML parser.
  budget("admin-sdk", "everything", "*", 60_000),
  // A quarter describes the types of events.
  budget("contract", "everything", "*", 4_100),
  // For tests and development. 9 kB are messages in seven languages, and the admin schema grows with what the panel lists.
  budget("mocks", "everything except graphql and msw", "*", 168_500, ["graphql", "msw"]),
];

/** An import from an entry point of a package, which adds at most so much. */
function budget(entry: string, what: string, imported: string, mostGzipBytes: number, external: string[] = []): Budget {
  const source = `export ${imported} from "@social-connect/${entry}";`;
  return { package: `@social-connect/${entry.split("/")[0]}`, what, source, mostGzipBytes, external };
}

function errorClass(entry: string, error: string): Budget {
  return { ...budget(entry, `\`${error}\` only`, `{ ${error} }`, 10_000), isOneFile: true };
}

interface BundleSize extends Pick<Budget, "package" | "what" | "mostGzipBytes"> {
  readonly minifiedBytes: number;
  readonly gzipBytes: number;
  readonly brotliBytes: number;
}

/** Bundles imports of the built packages and measures the result. */
export function measureBundles(): Promise<readonly BundleSize[]> {
  return Promise.all(BUDGETS.map(measure));
}

async function measure(budget: Budget): Promise<BundleSize> {
  const resolveDir = join(ROOT, budget.package.replace("@social-connect", "packages"));
  const { outputFiles, metafile } = await build({
    // A package finds itself by its own name, and its dependencies as a consumer's bundler would.
    stdin: { contents: budget.source, resolveDir, loader: "js" },
    bundle: true,
    // What is imported only when needed becomes a separate file.
    splitting: budget.isOneFile !== true,
    outdir: "bundle",
    metafile: true,
    minify: true,
    write: false,
    format: "esm",
    target: "es2022",
    // Not the source condition, and not the build that throws on load.
    conditions: ["node", "import", "module"],
    platform: "neutral",
    mainFields: ["module", "main"],
    external: [...budget.external, ...builtinModules, ...builtinModules.map((module) => `node:${module}`)],
    legalComments: "none",
    logLevel: "error",
  });
  const loaded = loadedFiles(metafile);
  const text = Buffer.concat(outputFiles.filter(({ path }) => loaded.has(basename(path))).map((file) => file.contents));
  return {
    ...budget,
    minifiedBytes: text.byteLength,
    gzipBytes: gzipSync(text, { level: 9 }).byteLength,
    brotliBytes: brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).byteLength,
  };
}

/** The names of the entry's file and of the files that it imports statically. */
function loadedFiles({ outputs }: Metafile): ReadonlySet<string> {
  const entry = Object.keys(outputs).find((path) => outputs[path]?.entryPoint === "<stdin>") ?? "";
  const loaded = new Set([entry]);
  // Iteration includes what is added during it.
  for (const path of loaded) {
    for (const { path: imported, kind } of outputs[path]?.imports ?? []) {
      if (kind === "import-statement" && imported in outputs) loaded.add(imported);
    }
  }
  return new Set([...loaded].map((path) => basename(path)));
}

export const SIZES_PATH = "docs/reference/packages/sizes.md";
/** The share by which a size may differ from the committed one, because compilers and compressors vary slightly. */
const NOTICEABLE = 0.02;

const HEAD = [
  "# Bundle sizes",
  "",
  "<!-- Generated by `pnpm build` from the build. Do not edit. -->",
  "",
  "What an import adds to a consumer's bundle: minified, with every dependency that the table does not exclude. CI",
  "fails if a size exceeds its budget.",
  "",
  "| Package | Imported | Minified | Gzip | Brotli | Budget (gzip) |",
  "| --- | --- | ---: | ---: | ---: | ---: |",
];

export function sizesReport(sizes: readonly BundleSize[]): ReportFile {
  const rows = sizes.map(({ package: name, what, minifiedBytes, gzipBytes, brotliBytes, mostGzipBytes }) => {
    const numbers = [minifiedBytes, gzipBytes, brotliBytes, mostGzipBytes].map(inKilobytes);
    return `| \`${name}\` | ${what} | ${numbers.join(" | ")} |`;
  });
  return { path: SIZES_PATH, text: `${[...HEAD, ...rows].join("\n")}\n` };
}

/** A message for each bundle that exceeds its budget. */
export function overBudget(sizes: readonly BundleSize[]): readonly string[] {
  return sizes
    .filter(({ gzipBytes, mostGzipBytes }) => gzipBytes > mostGzipBytes)
    .map(
      ({ package: name, what, gzipBytes, mostGzipBytes }) =>
        `${name} (${what}) has ${gzipBytes} bytes, and its budget is ${mostGzipBytes}: make it smaller, or give it a new budget with 5 % of room in tools/reports/bundleSizes.ts, and the reason there`,
    );
}

/** Whether a committed report has the measured rows, and every size within the tolerance. */
export function isStillTrue(committed: string, measured: string): boolean {
  const [old, measuredSizes] = [numbersOf(committed), numbersOf(measured)];
  const isSameText = committed.replaceAll(NUMBER, "") === measured.replaceAll(NUMBER, "");
  return (
    isSameText && old.every((value, index) => Math.abs(value - (measuredSizes[index] ?? 0)) <= value * NOTICEABLE + 0.1)
  );
}

const NUMBER = /\d+\.\d(?= kB)/g;

function numbersOf(text: string): readonly number[] {
  return [...text.matchAll(NUMBER)].map(([number]) => Number(number));
}

function inKilobytes(bytes: number): string {
  return `${(bytes / 1_000).toFixed(1)} kB`;
}
