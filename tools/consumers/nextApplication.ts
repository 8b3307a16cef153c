import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { ServedMock } from "../../packages/mocks/src/node.ts";
import { StartedProgram } from "../../packages/testkit/src/harness/startedProgram.ts";
import { reservePort } from "../../packages/testkit/src/ports.ts";
import { CommandError, run } from "../packages/commands.ts";
import { type PackedPackage, packPackages } from "../packages/pack.ts";
import { choosePublished } from "../packages/publishedPackages.ts";
import { expectPage, mockRouteFiles, proveMockRoutes, withRevision } from "./mockRoutes.ts";
import { startMockService } from "./mockService.ts";
import { CACHED_PAGES, checkRendering, DEFAULT_PAGES, provePages, useTemplate } from "./nextPages.ts";
import { installPacked } from "./workspace.ts";

const INSTALL = ["typescript@5.9.3", "@types/node@24"];
const READ_ACCOUNTS = `const social = new SocialConnect({
  baseUrl: process.env.SOCIAL_CONNECT_URL ?? "",
  key: process.env.SOCIAL_CONNECT_KEY ?? "",
});
const user = social.forSubject({ tenantKey: "acme", externalSubjectId: "user-42" });
const ids: string[] = [];
for await (const { id } of user.connections()) ids.push(id);
`;

/** An application of Next.js with its usual settings, built and run. Those of other frameworks are templates. */
export async function proveNextApplication(): Promise<void> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "social-connect-next-")));
  const service = await startMockService();
  try {
    const published = choosePublished(["sdk", "browser", "contract", "mocks"]);
    await proveNext(join(folder, "next"), await packPackages(published, join(folder, "packed")), service);
  } finally {
    await service.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function environmentOf({ mock, url }: ServedMock): Record<string, string> {
  return { SOCIAL_CONNECT_URL: url, SOCIAL_CONNECT_KEY: mock.key, NEXT_TELEMETRY_DISABLED: "1" };
}

async function writeFiles(place: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(place, path)), { recursive: true });
    await writeFile(join(place, path), text);
  }
}

/** Next.js: a route of each runtime, a page with the React button, and a route that serves the mocks. */
async function proveNext(place: string, packages: readonly PackedPackage[], service: ServedMock): Promise<void> {
  const react = ["react@19", "react-dom@19", "@types/react@19", "@types/react-dom@19"];
  await installPacked(place, packages, [...INSTALL, "next@16", ...react]);
  const route = (runtime: string) => `import { SocialConnect } from "@social-connect/sdk";

export const runtime = "${runtime}";
export const dynamic = "force-dynamic";

export async function GET(): Promise<Response> {
${READ_ACCOUNTS}return Response.json(ids);
}
`;
  const port = await reservePort();
  const url = `http://127.0.0.1:${port}`;
  const mockFiles = await mockRouteFiles(url);
  await writeFiles(place, {
    ...DEFAULT_PAGES,
    ...mockFiles,
    "app/layout.tsx": `export default function Layout({ children }: { children: React.ReactNode }) {
  return <html lang="en"><body>{children}</body></html>;
}
`,
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
    "next.config.mjs": "export default {};\n",
  });
  const program = join(place, "node_modules", "next", "dist", "bin", "next");
  const environment = environmentOf(service);
  const linked = service.mock.connections()[0]?.state.id ?? "";
  const build = (settings = environment) =>
    run(process.execPath, [program, "build"], { folder: place, environment: settings });
  checkRendering(await build(), { "/static": "static", "/plain": "dynamic", "/dynamic": "dynamic" });
  const withNext = async (command: "start" | "dev", prove: () => Promise<void>) => {
    const server = new StartedProgram({
      name: `next ${command}`,
      command: [process.execPath, program, command, "--port", String(port), "--hostname", "127.0.0.1"],
      folder: place,
      environment,
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
  await withNext("start", async () => {
    for (const path of ["/accounts", "/edge"]) {
      const text = await (await fetch(url + path)).text();
      if (text !== JSON.stringify([linked])) throw new Error(`Next.js gave ${text.slice(0, 200)} at ${path}`);
    }
    const page = await (await fetch(url)).text();
    if (!page.includes('<form action="/connect" method="post">')) throw new Error("the page of Next.js has no form");
    await provePages(url, linked);
    await proveMockRoutes(url);
  });
  console.log("  Next.js: builds; routes of both runtimes read the accounts, and a page has the React button");
  await withNext("dev", async () => {
    await proveMockRoutes(url);
    const file = "lib/socialConnectMock.ts";
    await writeFiles(place, { [file]: withRevision(mockFiles[file] ?? "", 2) });
    const isLoaded = async () => (await (await fetch(`${url}/mocked`)).text()).includes("revision 2");
    for (let tries = 0; !(await isLoaded()) && tries < 100; tries++) await setTimeout(200);
    await expectPage(url, "accounts of revision 2: PROVIDER_A CONNECTED");
  });
  console.log(
    "  Next.js: a route serves the mocks, also in development, where their state outlives a change of the module",
  );
  for (const path of ["app", "lib", ".next"]) await rm(join(place, path), { recursive: true, force: true });
  await writeFiles(place, CACHED_PAGES);
  checkRendering(await build(), { "/static": "static", "/plain": "partial", "/dynamic": "partial" });
  await withNext("start", () => provePages(url, linked));
  console.log("  Next.js: renders pages with the SDK static, dynamic, and with cached components");
  await useTemplate(place);
  // A build of the template has no settings.
  checkRendering(await build({ NEXT_TELEMETRY_DISABLED: "1" }), { "/": "dynamic", "/connected": "dynamic" });
  console.log("  Next.js: builds the template");
}
