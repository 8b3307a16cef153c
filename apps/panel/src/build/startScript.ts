import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { build, type Plugin, type Rolldown } from "vite";
import { PAGE_MODULES } from "../start/pageModules.ts";

const SOURCES = fileURLToPath(new URL("../", import.meta.url));
const MAIN_SCRIPT = /^ *<script type="module"/m;
const STYLE_SHEETS = /^ *<link rel="stylesheet".*>\n/gm;

type Bundle = Rolldown.OutputBundle;

/**
 * Builds start.ts into a separate file that runs before the first paint, and moves the style sheets behind the frame in
 * index.html, which has its own styles: browsers paint the frame while they load.
 */
export function startScript(): Plugin {
  let fileName = "";
  return {
    name: "start-script",
    apply: "build",
    generateBundle: {
      // Before index.html is generated, which names the file.
      order: "pre",
      async handler(_options, bundle) {
        const code = await compile(pageFiles(bundle));
        const hash = createHash("sha256").update(code).digest("base64url").slice(0, 8);
        fileName = `assets/start-${hash}.js`;
        this.emitFile({ type: "asset", fileName, source: code });
      },
    },
    transformIndexHtml: {
      order: "post",
      handler(html) {
        const script = `    <script src="/panel/${fileName}"></script>\n`;
        const styles = html.match(STYLE_SHEETS)?.join("") ?? "";
        return html
          .replaceAll(STYLE_SHEETS, "")
          .replace(MAIN_SCRIPT, (main) => script + main)
          .replace(/^ *<noscript>/m, (end) => styles + end);
      },
    },
  };
}

/** The files of each page of PAGE_MODULES besides those in index.html, by the page's path. */
function pageFiles(bundle: Bundle): Record<string, readonly string[]> {
  const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
  const initial = filesOf(bundle, chunks.find(({ isEntry }) => isEntry)?.fileName);
  return Object.fromEntries(
    Object.entries(PAGE_MODULES).map(([path, module]) => {
      const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId === SOURCES + module);
      if (chunk === undefined) throw new Error(`No file was built for ${module}, which pageModules.ts names.`);
      return [path, [...filesOf(bundle, chunk.fileName)].filter((file) => !initial.has(file))];
    }),
  );
}

/** A chunk with its styles and everything that it imports. */
function filesOf(bundle: Bundle, fileName: string | undefined, found = new Set<string>()): Set<string> {
  const chunk = bundle[fileName ?? ""];
  if (chunk?.type !== "chunk" || found.has(chunk.fileName)) return found;
  found.add(chunk.fileName);
  for (const styles of chunk.viteMetadata?.importedCss ?? []) found.add(styles);
  for (const imported of chunk.imports) filesOf(bundle, imported, found);
  return found;
}

async function compile(files: Record<string, readonly string[]>): Promise<string> {
  const output = await build({
    configFile: false,
    logLevel: "error",
    resolve: { conditions: ["@social-connect/source"] },
    define: { PAGE_FILES: JSON.stringify(files) },
    build: {
      write: false,
      lib: { entry: `${SOURCES}start/start.ts`, formats: ["iife"], name: "start", fileName: "start" },
      minify: true,
    },
  });
  const chunks = [output].flat().flatMap((result) => ("output" in result ? result.output : []));
  const [chunk] = chunks;
  if (chunk?.type !== "chunk" || chunks.length !== 1) throw new Error("start.ts must build into one file.");
  return chunk.code;
}
