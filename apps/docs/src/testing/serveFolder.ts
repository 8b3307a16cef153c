import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
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
export async function serveFolder(folder: string, base: string) {
  const read = (path: string) => readFile(join(folder, path)).catch(() => null);
  const server = await serve(async ({ url = "/" }, response) => {
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
  return { url: server.url + base, close: server.close };
}
