import { randomBytes } from "node:crypto";
import type { Context } from "hono";
import { Hono } from "hono";
import type { ErrorPage } from "./pages.ts";
import { PAGES, renderErrorPage } from "./pages.ts";
import { PanelBuild } from "./panelBuild.ts";

/** Stands in index.html wherever the nonce of the request has to be. */
const NONCE_PLACEHOLDER = "__CSP_NONCE__";
const ROOT = "/panel/";
/** Names in here carry a hash of what they hold, so what a browser has it may keep. */
const HASHED = "assets/";
const A_YEAR_IN_SECONDS = 31_536_000;

const NOT_BUILT: ErrorPage = {
  status: 503,
  title: "The panel is not here yet",
  happened: "The service runs, but the files of its admin panel are not where it looks for them.",
  whatToDo:
    "In a clone of the repository, run “pnpm --filter @social-connect/panel build” and load this page again. Elsewhere, set PANEL_DIR to the folder that holds the panel’s index.html.",
};

/** On all of the panel's files: nothing frames them, takes them for another type, or is told where the person came from. */
const COMMON_HEADERS = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
} as const;

/**
 * The panel's pages and files. Every address of a page is answered with the one index.html, which looks by itself for the
 * page that was meant; it holds nothing of anybody, so it needs no session.
 */
export function panelApp(folder: string): Hono {
  const app = new Hono();
  const build = new PanelBuild(folder);

  app.get("/panel", (context) => page(context));
  app.get(`${ROOT}*`, async (context) => {
    const name = context.req.path.slice(ROOT.length);
    const file = await build.file(name, context.req.header("accept-encoding") ?? "");
    if (file !== null) {
      return context.body(file.body, 200, {
        ...COMMON_HEADERS,
        "content-type": file.mediaType,
        "content-length": String(file.body.length),
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
        "cache-control": name.startsWith(HASHED) ? `public, max-age=${A_YEAR_IN_SECONDS}, immutable` : "no-cache",
        vary: "accept-encoding",
        ...(file.encoding === null ? {} : { "content-encoding": file.encoding }),
      });
    }
    return isPage(name) ? page(context) : answer(context, PAGES.notFound);
  });

  async function page(context: Context) {
    const index = await build.index();
    if (index === null) return answer(context, NOT_BUILT);
    const nonce = randomBytes(16).toString("base64");
    return context.html(index.replaceAll(NONCE_PLACEHOLDER, nonce), 200, {
      ...COMMON_HEADERS,
      "content-security-policy": pagePolicy(nonce),
      "cache-control": "no-store",
    });
  }

  return app;
}

/**
 * Scripts are the build's own files and nothing else. Styles may stand in the page where they carry the nonce, which the
 * component library gives to those that it makes; attributes that scripts set are no concern of the policy. Signing in is
 * a link, signing out a fetch: no form is sent anywhere.
 */
function pagePolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    // The panel's own one, which lets no markup through.
    "trusted-types default",
  ].join("; ");
}

/** A page's address has no ending such as a file's has: what looks like a file and is none is not there. */
function isPage(name: string): boolean {
  return !`${name}/`.startsWith(HASHED) && !(name.split("/").at(-1) ?? "").includes(".");
}

function answer(context: Context, errorPage: ErrorPage) {
  return context.html(renderErrorPage(errorPage), errorPage.status);
}
