import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { mkdtempDisposable, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify, stripVTControlCharacters } from "node:util";
import { serve } from "@social-connect/testkit";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".md": "text/markdown; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
};

/** Serves a built site as a static host does, below a base path. */
function serveFolder(folder: string, base: string) {
  const read = (path: string) => readFile(join(folder, path)).catch(() => null);
  return serve(async ({ url = "/" }, response) => {
    const { pathname } = new URL(url, "http://site");
    const path = pathname.startsWith(base) ? decodeURIComponent(pathname.slice(base.length)) : null;
    const name = path === "" || path?.endsWith("/") ? `${path}index.html` : path;
    const body = name === null || name.includes("..") ? null : await read(name);
    response.statusCode = body === null ? 404 : 200;
    response.setHeader(
      "content-type",
      TYPES[body === null ? ".html" : extname(name ?? "")] ?? "application/octet-stream",
    );
    response.end(body ?? (path === null ? "outside the site" : await read("404.html")));
  });
}

const CLI = fileURLToPath(new URL("../cli.ts", import.meta.url));
const COMMAND = ["--conditions=@social-connect/source", "--disable-warning=ExperimentalWarning", CLI];
const BASE = "/social/docs/";
/** An earlier release with fewer pages. */
const EARLIER: Readonly<Record<string, string>> = {
  "README.md": "# Social Connect\n\nThe earlier release.\n",
  "docs/how-to/README.md": "# How-to guides\n\n- [Show posts](show-posts.md): profile and posts\n",
  "docs/how-to/show-posts.md": "# Show posts\n\nThe text of the earlier release.\n",
};

/**
 * Builds the site with the command, with an earlier release, and serves it below a base path. `isSmall`: the pages of the
 * earlier release only.
 */
export async function serveBuiltSite({ isSmall = false } = {}) {
  await using starting = new AsyncDisposableStack();
  const { path: folder } = starting.use(await mkdtempDisposable(join(tmpdir(), "social-connect-site-")));
  const earlier = join(folder, "earlier");
  writeEarlier(earlier);
  const outDir = join(folder, "site");
  const pages = isSmall ? ["--root", earlier] : ["--name", "0.2.0", "--release", `0.1.0=${earlier}`];
  const options = ["--base", BASE, "--out", outDir, ...pages];
  const { stdout } = await promisify(execFile)(process.execPath, [...COMMAND, "build", ...options], {
    env: { ...process.env, NODE_OPTIONS: "" },
  });
  const server = starting.use(await serveFolder(outDir, BASE));
  const running = starting.move();
  return { url: server.url + BASE, base: BASE, outDir, summary: stdout.trim(), close: () => running.disposeAsync() };
}

/** Serves a small copy of the repository with the command, as for someone who writes a page. */
export async function serveWorkingCopy() {
  const folder = mkdtempSync(join(tmpdir(), "social-connect-pages-"));
  writeEarlier(folder);
  const child = spawn(process.execPath, [...COMMAND, "serve", "--root", folder, "--port", "0"], {
    env: { ...process.env, NODE_OPTIONS: "" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const close = async () => {
    const closed = once(child, "close");
    if (child.kill()) await closed;
    rmSync(folder, { recursive: true, force: true });
  };
  let printed = "";
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    printed += String(chunk);
    // The port may be printed in bold.
    const [url] = /http:\/\/[\d.]+:\d+\//.exec(stripVTControlCharacters(printed)) ?? [];
    if (url !== undefined) return { url, folder, close };
  }
  await close();
  throw new Error(`The site is not served:\n${printed}`);
}

export function writeEarlier(folder: string): void {
  for (const [path, text] of Object.entries(EARLIER)) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}
