import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { findTemplate } from "../../packages/create/src/templates.ts";
import { startProgram } from "../../packages/testkit/src/harness/startedProgram.ts";
import { eventually, reservePort } from "../../packages/testkit/src/index.ts";
import { CommandError, run } from "../packages/commands.ts";
import { installPacked, packPackages } from "../packages/pack.ts";
import { choosePublished, ROOT } from "../packages/publishedPackages.ts";
import { scratchFolder } from "../packages/scratchFolder.ts";
import { expectPage, mockRouteFiles, proveMockRoutes, withRevision } from "./mockRoutes.ts";
import { TRIES_ALL } from "./toolchain.ts";
import { startMockService } from "./workspace.ts";

const INSTALL = ["typescript@5.9.3", "@types/node@24", "next@16", "react@19", "react-dom@19"];
const OWN_FILES = {
  "next.config.mjs": "export default {};\n",
  "app/page.tsx": `import { Connect } from "./Connect";

export default function Page() {
  return <Connect />;
}
`,
  "app/Connect.tsx": `"use client";
import { ConnectButton } from "@social-connect/browser/react";

export function Connect() {
  return <ConnectButton action="/connect" fields={{ provider: "PROVIDER_A" }} onOutcome={() => undefined}>Connect</ConnectButton>;
}
`,
  "app/accounts/route.ts": route("nodejs"),
  "app/edge/route.ts": route("edge"),
};

function route(runtime: string): string {
  return `import { accounts } from "../../lib/rendering";

export const runtime = "${runtime}";
export const dynamic = "force-dynamic";

export const GET = async () => new Response(await accounts());
`;
}

/**
 * An application of Next.js with its usual settings, built and run: a route of each runtime, a page with the React button, and a
 * route that serves the mocks; with `--all` also in development, with cached components, and the template. Others have templates.
 */
export async function proveNextApplication(): Promise<void> {
  await using folder = await scratchFolder("next");
  await using service = await startMockService();
  const published = choosePublished(["sdk", "browser", "contract", "mocks"]);
  const packages = await packPackages(published, join(folder.path, "packed"));
  const place = join(folder.path, "next");
  await installPacked(place, packages, [...INSTALL, "@types/react@19", "@types/react-dom@19"]);
  const settings = { SOCIAL_CONNECT_URL: service.url, SOCIAL_CONNECT_KEY: service.mock.key };
  const linked = service.mock.connections()[0]?.state.id ?? "";
  const port = await reservePort();
  const url = `http://127.0.0.1:${port}`;
  const mockFiles = await mockRouteFiles(url);
  const write = async (files: Readonly<Record<string, string>>) => {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(place, path)), { recursive: true });
      await writeFile(join(place, path), text);
    }
  };
  await write({ ...DEFAULT_PAGES, ...mockFiles, ...OWN_FILES });
  const program = join(place, "node_modules", "next", "dist", "bin", "next");
  const environment = { ...settings, NEXT_TELEMETRY_DISABLED: "1" };
  const build = (own: object = settings) =>
    run(process.execPath, [program, "build"], { folder: place, environment: { ...own, NEXT_TELEMETRY_DISABLED: "1" } });
  const withNext = async (command: "start" | "dev", prove: () => Promise<void>) => {
    const server = startProgram({
      name: `next ${command}`,
      command: [process.execPath, program, command, "--port", String(port), "--hostname", "127.0.0.1"],
      ...{ folder: place, environment },
    });
    try {
      await server.until(async () => (await fetch(url)).ok);
      await prove();
    } catch (error) {
      // Its message names the problem, and the end of the output the request.
      throw new CommandError(`${(error as Error).message}\n${server.output()}`);
    } finally {
      // It ends by the signal.
      await server.stop().catch(() => undefined);
    }
  };
  checkRendering(await build(), { "/static": "static", "/plain": "dynamic", "/dynamic": "dynamic" });
  await withNext("start", async () => {
    for (const path of ["/accounts", "/edge"]) {
      const text = await (await fetch(url + path)).text();
      if (text !== linked) throw new Error(`Next.js gave ${text.slice(0, 200)} at ${path}`);
    }
    const page = await (await fetch(url)).text();
    if (!page.includes('<form action="/connect" method="post">')) throw new Error("the page of Next.js has no form");
    await provePages(url, linked);
    await proveMockRoutes(url);
  });
  console.log("  Next.js: builds; routes of both runtimes and pages read accounts, and a page has the React button");
  if (TRIES_ALL) {
    await withNext("dev", async () => {
      await proveMockRoutes(url);
      const file = "lib/socialConnectMock.ts";
      await write({ [file]: withRevision(mockFiles[file] ?? "", 2) });
      await eventually(() => expectPage(url, "accounts of revision 2: PROVIDER_A CONNECTED"));
    });
    console.log("  Next.js: in development the state of the mocks outlives a change of the module");
  }
  if (TRIES_ALL) {
    for (const path of ["app", "lib", ".next"]) await rm(join(place, path), { recursive: true, force: true });
    await write(CACHED_PAGES);
    checkRendering(await build(), { "/static": "static", "/plain": "partial", "/dynamic": "partial" });
    await withNext("start", () => provePages(url, linked));
    console.log("  Next.js: renders pages with cached components");
    await useTemplate(place);
    // A build of the template has no settings.
    checkRendering(await build({}), { "/": "dynamic", "/connected": "dynamic" });
    console.log("  Next.js: builds the template");
  }
}

/** How Next.js renders a page, as `next build` prints it. */
type Rendering = "static" | "dynamic" | "partial";
const SYMBOLS: Readonly<Record<string, Rendering>> = { "○": "static", ƒ: "dynamic", "◐": "partial" };

const LIB = `import { SocialConnect } from "@social-connect/sdk";

const options = { baseUrl: process.env.SOCIAL_CONNECT_URL ?? "", key: process.env.SOCIAL_CONNECT_KEY ?? "" };
export const social = new SocialConnect(options);
export const user = social.forSubject({ tenantKey: "acme", externalSubjectId: "user-42" });
export const accounts = async () => (await user.connections().toArray({ limit: 10 })).map(({ id }) => id).join();
export const providers = async () => (await social.readiness()).providers.map(({ provider }) => provider).join();
`;

/** A page whose component calls the SDK. */
function page(code: string, imports = "", before = ""): string {
  return `import { Suspense } from "react";
import { accounts, providers, user } from "../../lib/rendering";
${imports}
${before}
async function Content() {
  ${code}
}

export default function Page() {
  return <Suspense fallback={<i>loading</i>}><Content /></Suspense>;
}
`;
}

const CONNECTION = 'import { connection } from "next/server";';
const NAVIGATION = `import { NotFoundError } from "@social-connect/sdk";
import { notFound, redirect } from "next/navigation";
import { connection } from "next/server";`;
const orIfMissing = (action: string) => `await connection();
  try {
    await user.connection("none");
  } catch (error) {
    if (NotFoundError.is(error)) ${action};
    throw error;
  }
  return null;`;

/** Pages for every way of rendering that the guide names. They have no settings, so they exist with cached components too. */
const PAGES: Readonly<Record<string, string>> = {
  "lib/rendering.ts": LIB,
  "app/layout.tsx": `export default function Layout({ children }: { children: React.ReactNode }) {
  return <html lang="en"><body>{children}</body></html>;
}
`,
  "app/plain/page.tsx": page("return <b>{await accounts()}</b>;"),
  "app/dynamic/page.tsx": page("await connection();\n  return <b>{await accounts()}</b>;", CONNECTION),
  "app/missing/page.tsx": page(orIfMissing("notFound()"), NAVIGATION),
  "app/moved/page.tsx": page(orIfMissing('redirect("/plain")'), NAVIGATION),
  "app/handler/route.ts": `import { accounts } from "../../lib/rendering";

export const GET = async () => new Response(\`<b>\${await accounts()}</b>\`);
`,
  "app/action/page.tsx": `import { redirect } from "next/navigation";
import { accounts } from "../../lib/rendering";

async function act() {
  "use server";
  redirect("/acted?" + (await accounts()));
}

export default function Page() {
  return <form action={act}><button>Act</button></form>;
}
`,
};

/** The pages of an application with the usual settings. */
const DEFAULT_PAGES: Readonly<Record<string, string>> = {
  ...PAGES,
  "app/static/page.tsx": page("return <b>{await providers()}</b>;", "", 'export const dynamic = "force-static";'),
};

/** An application with `cacheComponents`. */
const CACHED_PAGES: Readonly<Record<string, string>> = {
  ...PAGES,
  "next.config.mjs": "export default { cacheComponents: true };\n",
  "app/page.tsx": "export default function Page() {\n  return <p>Home</p>;\n}\n",
  "app/static/page.tsx": page(
    "return <b>{await cachedProviders()}</b>;",
    "",
    'async function cachedProviders() {\n  "use cache";\n  return providers();\n}',
  ),
};

/** Compares how Next.js renders the pages. */
function checkRendering(buildOutput: string, expected: Readonly<Record<string, Rendering>>): void {
  for (const [path, rendering] of Object.entries(expected)) {
    const symbol = new RegExp(`^[┌├└] (.) ${path}(?: |$)`, "m").exec(buildOutput)?.[1] ?? "";
    if (SYMBOLS[symbol] !== rendering) throw new Error(`Next.js renders ${path} as ${symbol}:\n${buildOutput}`);
  }
}

/** Opens the pages of a started application. */
async function provePages(url: string, linked: string): Promise<void> {
  const show = async (path: string, expected: string) => {
    const response = await fetch(url + path, { redirect: "manual" });
    const text = await response.text();
    if (!text.includes(expected)) throw new Error(`Next.js shows ${path} as ${response.status} ${text.slice(0, 500)}`);
  };
  for (const path of ["/plain", "/dynamic", "/handler"]) await show(path, `<b>${linked}</b>`);
  await show("/static", "<b>PROVIDER_A,PROVIDER_B,PROVIDER_C</b>");
  // The response of these pages has started, so Next.js writes the result into it.
  await show("/missing", "NEXT_HTTP_ERROR_FALLBACK;404");
  await show("/moved", "NEXT_REDIRECT;replace;/plain");
  const [, action = ""] = /name="(\$ACTION_ID_\w+)"/.exec(await (await fetch(`${url}/action`)).text()) ?? [];
  const body = new FormData();
  body.set(action, "");
  const acted = await fetch(`${url}/action`, { method: "POST", headers: { origin: url }, body, redirect: "manual" });
  const location = acted.headers.get("location");
  if (!location?.endsWith(`/acted?${linked}`)) throw new Error(`the action answered ${acted.status} ${location}`);
}

/** Replaces the application of a folder with installed packages by that of the template. */
async function useTemplate(place: string): Promise<void> {
  for (const folder of ["app", "lib", ".next", "next.config.mjs"])
    await rm(join(place, folder), { recursive: true, force: true });
  const templates = join(ROOT, "packages", "create", "templates");
  for (const folder of ["app", "lib"])
    await cp(join(templates, "next", folder), join(place, folder), { recursive: true });
  for (const [path, file] of Object.entries(findTemplate("next")?.shared ?? {}))
    await cp(join(templates, "shared", file), join(place, path));
}
