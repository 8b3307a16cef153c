import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { StartedProgram } from "../../packages/testkit/src/harness/startedProgram.ts";
import { eventually, reservePort } from "../../packages/testkit/src/index.ts";
import { CommandError, run } from "../packages/commands.ts";
import { packPackages } from "../packages/pack.ts";
import { choosePublished } from "../packages/publishedPackages.ts";
import { scratchFolder } from "../packages/scratchFolder.ts";
import { expectPage, mockRouteFiles, proveMockRoutes, withRevision } from "./mockRoutes.ts";
import { CACHED_PAGES, checkRendering, DEFAULT_PAGES, provePages, useTemplate } from "./nextPages.ts";
import { TRIES_ALL } from "./toolchain.ts";
import { installPacked, startMockService } from "./workspace.ts";

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
 * route that serves the mocks; with `--all` also in development and with cached components. Other frameworks have templates.
 */
export async function proveNextApplication(): Promise<void> {
  await using folder = await scratchFolder("next");
  await using service = await startMockService();
  const published = choosePublished(["sdk", "browser", "contract", "mocks"]);
  const packages = await packPackages(published, join(folder.path, "packed"));
  const place = join(folder.path, "next");
  await installPacked(place, packages, [...INSTALL, "@types/react@19", "@types/react-dom@19"]);
  const environment = { SOCIAL_CONNECT_URL: service.url, SOCIAL_CONNECT_KEY: service.mock.key };
  await proveNext(place, environment, service.mock.connections()[0]?.state.id ?? "");
}

async function proveNext(place: string, environment: Readonly<Record<string, string>>, linked: string): Promise<void> {
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
  const options = (settings = environment) => ({
    folder: place,
    environment: { ...settings, NEXT_TELEMETRY_DISABLED: "1" },
  });
  const build = (settings = environment) => run(process.execPath, [program, "build"], options(settings));
  const withNext = async (command: "start" | "dev", prove: () => Promise<void>) => {
    const server = new StartedProgram({
      name: `next ${command}`,
      command: [process.execPath, program, command, "--port", String(port), "--hostname", "127.0.0.1"],
      ...options(),
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
  for (const path of ["app", "lib", ".next"]) await rm(join(place, path), { recursive: true, force: true });
  if (TRIES_ALL) {
    await write(CACHED_PAGES);
    checkRendering(await build(), { "/static": "static", "/plain": "partial", "/dynamic": "partial" });
    await withNext("start", () => provePages(url, linked));
    console.log("  Next.js: renders pages with cached components");
  }
  await useTemplate(place);
  // A build of the template has no settings.
  checkRendering(await build({}), { "/": "dynamic", "/connected": "dynamic" });
  console.log("  Next.js: builds the template");
}
