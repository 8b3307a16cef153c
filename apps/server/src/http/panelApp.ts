import { randomBytes } from "node:crypto";
import { BROWSER_ERROR_PAGES, type Mode } from "@social-connect/domain";
import { type Context, Hono } from "hono";
import { type AdminPage, answerAdmin } from "./pages/errorPage.ts";
import { PanelBuild } from "./panelBuild.ts";

/** Placeholder for the request's nonce in index.html. */
const NONCE_PLACEHOLDER = "__CSP_NONCE__";
/** Placeholder for the mode, which the sign-in page names. */
const MODE_PLACEHOLDER = "__SERVICE_MODE__";
const ROOT = "/panel/";
/** File names in here contain a hash of the content, so browsers may cache them permanently. */
const HASHED = "assets/";
const A_YEAR_IN_SECONDS = 31_536_000;

const NOT_BUILT: AdminPage = {
  status: 503,
  title: "The panel is not built yet",
  happened: "The service is running, but the files of its admin panel were not found.",
  whatToDo:
    "In a clone of the repository, run “pnpm --filter @social-connect/panel build” and reload this page. Elsewhere, set PANEL_DIR to the folder that contains the panel’s index.html.",
};

/** For all of the panel's files: no framing, no type sniffing, no referrer. */
const COMMON_HEADERS = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
} as const;

/**
 * The panel's pages and files. Every page URL returns the same index.html, which routes in the browser and asks for the session:
 * browsers omit the cookie when another site links to the panel, because it is SameSite=Strict.
 */
export function panelApp<Env extends object>(folder: string, mode: Mode): Hono<Env> {
  const app = new Hono<Env>();
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
    return isPage(name) ? page(context) : answerAdmin(context, BROWSER_ERROR_PAGES.notFound);
  });

  async function page(context: Context<Env>) {
    const index = await build.index();
    if (index === null) return answerAdmin(context, NOT_BUILT);
    const nonce = randomBytes(16).toString("base64");
    const html = index.replaceAll(NONCE_PLACEHOLDER, nonce).replaceAll(MODE_PLACEHOLDER, mode);
    return context.html(html, 200, {
      ...COMMON_HEADERS,
      "content-security-policy": pagePolicy(nonce),
      "cache-control": "no-store",
    });
  }

  return app;
}

/**
 * Scripts: only the build's own files. Style elements need the nonce, which the component library sets on the elements
 * that it creates; the policy does not restrict styles that scripts set. The only frame, and the only form, is the preview of a
 * client's branding.
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
    "form-action 'self'",
    "frame-src 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    // The panel's only Trusted Types policy, which rejects markup.
    "trusted-types default",
  ].join("; ");
}

/** Page URLs have no file extension, so a missing file is a 404. */
function isPage(name: string): boolean {
  return !`${name}/`.startsWith(HASHED) && !(name.split("/").at(-1) ?? "").includes(".");
}
