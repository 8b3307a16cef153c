import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { serveMock } from "@social-connect/mocks/node";
import { type ConnectSession, launchPage, SocialConnect } from "@social-connect/sdk";
import { serve } from "@social-connect/testkit";
import { build, type Plugin } from "esbuild";
// @ts-expect-error: the code of the README has no types.
import { addRoutes } from "../snippets/backend.js";
import type { Situation } from "./situations.ts";

export type Site = Awaited<ReturnType<typeof startSite>>;

/** The scripts of the site's pages, by path. The guide's have the code of the README. */
const SCRIPTS: Readonly<Record<string, string>> = {
  "/": "pages.ts",
  "/return": "pages.ts",
  "/react": "reactPage.ts",
  "/guide": "../snippets/button.js",
  "/guide/closed": "../snippets/closed.js",
  "/guide/react": "reactGuide.jsx",
  "/guide/return": "../snippets/return.js",
};

export interface StartedAttempt {
  readonly sessionId: string;
  readonly launchToken: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** An application with a backend, over HTTP, and a served mock as its service. */
export async function startSite() {
  const bundled = Object.entries(SCRIPTS).map(async ([path, file]) => [path, await bundle(file)] as const);
  const scripts = new Map(await Promise.all(bundled));
  let listener: RequestListener = () => undefined;
  const { url: origin, close } = await serve((incoming, response) => listener(incoming, response));
  let headers: NonNullable<Situation["headers"]> = {};
  const service = await serveMock({
    seed: "browser",
    // Another site than the application.
    host: "localhost",
    application: {
      tenantKeys: ["acme"],
      webOrigins: [origin],
      returnUrls: [`${origin}/return`, `${origin}/guide/return`],
    },
  });
  const { mock } = service;
  const answer = mock.answer.bind(mock);
  // Adds headers to the provider's pages.
  mock.answer = async (incoming) => {
    const outcome = await answer(incoming);
    if (outcome === "dropped" || !incoming.url.pathname.startsWith("/__mock/providers/")) return outcome;
    return { ...outcome, headers: [...outcome.headers, ...Object.entries(headers.provider ?? {})] };
  };
  const social = new SocialConnect({ baseUrl: mock.baseUrl, key: mock.key, clock: mock.clock, retries: 0 });
  const user = social.forSubject({ tenantKey: "acme", externalSubjectId: "user-mara" });
  const attempts: StartedAttempt[] = [];
  const launches = new Map<string, ConnectSession>();
  const routes = new Map<string, Route>();
  addRoutes({ get: (path: string, route: Route) => routes.set(path, route) }, user, launches);

  async function connect(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const fields = Object.fromEntries(new URLSearchParams(await text(incoming)));
    const session = await user.connect({
      provider: "PROVIDER_A",
      capabilities: ["PROFILE", "CONTENT_LIST"],
      returnUrl: origin + (incoming.headers.referer?.includes("/guide") ? "/guide/return" : "/return"),
    });
    if (fields["launch"] !== undefined) launches.set(fields["launch"], session);
    attempts.push({ sessionId: session.id, launchToken: session.launchToken.reveal(), fields });
    const page = launchPage(session);
    // Separates a popup from the page that opened it.
    const separating = fields["separate"] === undefined ? {} : { "cross-origin-opener-policy": "same-origin" };
    response.writeHead(200, { ...page.headers, ...separating, ...headers.launch }).end(page.html);
  }

  async function sendResult(sessionId: string, response: ServerResponse): Promise<void> {
    const { status } = await user.connectResult(sessionId).wait();
    response.setHeader("content-type", "application/json").end(JSON.stringify({ status }));
  }

  listener = (incoming, response) => {
    const { pathname } = new URL(incoming.url ?? "/", origin);
    // A page that was closed may still wait for an attempt that the mock, once reset, no longer knows.
    const answer = (sent: unknown) => void Promise.resolve(sent).catch(() => response.destroy());
    if (incoming.method === "POST" && pathname === "/connect") return answer(connect(incoming, response));
    if (pathname.startsWith("/attempts/")) return answer(sendResult(pathname.slice("/attempts/".length), response));
    const [, launch, rest] = /^\/launches\/(\w+)(\/pane)?$/.exec(pathname) ?? [];
    if (launch !== undefined) {
      const json = (value: unknown) =>
        response.setHeader("content-type", "application/json").end(JSON.stringify(value));
      const redirect = (status: number, location: string) => response.writeHead(status, { location }).end();
      return answer(routes.get(`/launches/:launch${rest ?? ""}`)?.({ params: { launch } }, { json, redirect }));
    }
    const own = pathname === "/return" ? headers.return : headers.page;
    for (const [name, value] of Object.entries(own ?? {})) response.setHeader(name, value);
    const script = scripts.get(pathname.replace(/\.script$/, ""));
    if (pathname.endsWith(".script"))
      response.writeHead(200, { "content-type": "text/javascript", "access-control-allow-origin": "*" }).end(script);
    else response.setHeader("content-type", "text/html; charset=utf-8").end(pageWith(`${pathname}.script`));
  };

  return {
    origin,
    mock,
    attempts,
    setHeaders: (changed: NonNullable<Situation["headers"]>) => {
      headers = changed;
    },
    lastAttempt: () => {
      const attempt = attempts.at(-1);
      if (attempt === undefined) throw new Error("No attempt was started.");
      return attempt;
    },
    /** Only the backend can read the result. */
    resultOf: (sessionId: string) => user.connectResult(sessionId).wait(),
    close: async () => {
      await Promise.all([close(), service.close()]);
    },
  };
}

/** An application's route, with the parts of Express that it uses. */
type Route = (
  request: { params: Record<string, string> },
  response: { json(value: unknown): void; redirect(status: number, location: string): void },
) => unknown;

/** The form works without scripts; `pages.ts` adds the rest. */
function pageWith(script: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Site</title>
<form id="form" method="post" action="/connect"><button name="provider" value="PROVIDER_A">Connect by form</button></form>
<main></main><p role="status"></p><script type="module" src="${script}"></script></html>`;
}

/** A folder in which the packed package is installed; the pages use its source without it. */
const INSTALLED = process.env["SOCIAL_CONNECT_BROWSER_INSTALLED"];

/** The pages' imports of the package, from its tarball. */
function fromTarball(folder: string): Plugin {
  const { resolve } = createRequire(join(folder, "package.json"));
  return {
    name: "tarball",
    setup: ({ onResolve }) => {
      onResolve({ filter: /^(\.\.\/(index|react)\.ts|@social-connect\/browser(\/react)?)$/ }, ({ path }) => ({
        path: resolve(`@social-connect/browser${path.includes("react") ? "/react" : ""}`).replace(/\.cjs$/, ".js"),
      }));
    },
  };
}

async function bundle(file: string): Promise<string> {
  const { outputFiles } = await build({
    plugins: INSTALLED === undefined ? [] : [fromTarball(INSTALLED)],
    entryPoints: [fileURLToPath(new URL(file, import.meta.url))],
    bundle: true,
    write: false,
    format: "esm",
    jsx: "automatic",
    platform: "browser",
    conditions: ["@social-connect/source"],
    define: { "process.env.NODE_ENV": '"production"' },
    logLevel: "error",
  });
  return outputFiles[0]?.text ?? "";
}
