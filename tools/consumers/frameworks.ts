import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { run } from "../packages/commands.ts";
import type { PackedPackage } from "../packages/pack.ts";
import { packPackages } from "../packages/pack.ts";
import { choosePublished } from "../packages/publishedPackages.ts";
import type { Loopback } from "./loopback.ts";
import { APPLICATION_KEY, startLoopback } from "./loopback.ts";
import { freePorts, startProgram } from "./startedProgram.ts";
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

/** Applications of frameworks with their usual settings, built and run. */
export async function proveFrameworks(): Promise<void> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "social-connect-frameworks-")));
  const loopback = await startLoopback();
  try {
    const packages = await packPackages(choosePublished(["sdk", "browser", "contract"]), join(folder, "packed"));
    await proveNest(join(folder, "nest"), packages, loopback);
    await proveNext(join(folder, "next"), packages, loopback);
  } finally {
    await loopback.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function environmentOf({ url }: Loopback): Record<string, string> {
  return { SOCIAL_CONNECT_URL: url, SOCIAL_CONNECT_KEY: APPLICATION_KEY, NEXT_TELEMETRY_DISABLED: "1" };
}

async function writeFiles(place: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(place, path)), { recursive: true });
    await writeFile(join(place, path), text);
  }
}

/** NestJS: CommonJS by `nodenext`, decorators with metadata. */
async function proveNest(place: string, packages: readonly PackedPackage[], loopback: Loopback): Promise<void> {
  const nest = ["common", "core", "platform-express"].map((name) => `@nestjs/${name}@11`);
  await installPacked(place, packages, [...INSTALL, ...nest, "reflect-metadata@0.2", "rxjs@7"]);
  await writeFiles(place, {
    "tsconfig.json": JSON.stringify({
      compilerOptions: {
        module: "nodenext",
        moduleResolution: "nodenext",
        target: "es2023",
        types: ["node"],
        strict: true,
        skipLibCheck: true,
        emitDecoratorMetadata: true,
        experimentalDecorators: true,
        outDir: "dist",
      },
      files: ["main.ts"],
    }),
    "main.ts": `import "reflect-metadata";
import { Controller, Get, Inject, Injectable, Module } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { SocialConnect } from "@social-connect/sdk";

@Injectable()
class Accounts {
  constructor(@Inject(SocialConnect) private readonly social: SocialConnect) {}
  async list(): Promise<string[]> {
    const user = this.social.forSubject({ tenantKey: "acme", externalSubjectId: "user-42" });
    const ids: string[] = [];
    for await (const { id } of user.connections()) ids.push(id);
    return ids;
  }
}

@Controller()
class AccountsController {
  constructor(@Inject(Accounts) private readonly accounts: Accounts) {}
  @Get("accounts")
  list(): Promise<string[]> {
    return this.accounts.list();
  }
}

const social = {
  provide: SocialConnect,
  useFactory: () =>
    new SocialConnect({ baseUrl: process.env.SOCIAL_CONNECT_URL ?? "", key: process.env.SOCIAL_CONNECT_KEY ?? "" }),
};

@Module({ controllers: [AccountsController], providers: [Accounts, social] })
class AppModule {}

async function main(): Promise<void> {
  const app = await NestFactory.create(AppModule, { logger: false });
  await app.listen(0, "127.0.0.1");
  const response = await fetch(\`\${await app.getUrl()}/accounts\`);
  console.log(await response.text());
  await app.close();
}
void main();
`,
  });
  await run(process.execPath, [join("node_modules", "typescript", "bin", "tsc"), "-p", "."], { folder: place });
  const output = await run(process.execPath, [join("dist", "main.js")], {
    folder: place,
    environment: environmentOf(loopback),
  });
  if (!output.includes('["connection-1"]')) throw new Error(`NestJS gave ${output}`);
  console.log("  NestJS: compiles, injects the client, and reads the accounts");
}

/** Next.js: a route of each runtime, and a page with the React button. */
async function proveNext(place: string, packages: readonly PackedPackage[], loopback: Loopback): Promise<void> {
  const react = ["react@19", "react-dom@19", "@types/react@19", "@types/react-dom@19"];
  await installPacked(place, packages, [...INSTALL, "next@16", ...react]);
  const route = (runtime: string) => `import { SocialConnect } from "@social-connect/sdk";

export const runtime = "${runtime}";
export const dynamic = "force-dynamic";

export async function GET(): Promise<Response> {
${READ_ACCOUNTS}return Response.json(ids);
}
`;
  await writeFiles(place, {
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
  const next = join(place, "node_modules", "next", "dist", "bin", "next");
  const environment = environmentOf(loopback);
  await run(process.execPath, [next, "build"], { folder: place, environment });
  const [port = 0] = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  const server = startProgram({
    name: "next start",
    program: process.execPath,
    parameters: [next, "start", "--port", String(port), "--hostname", "127.0.0.1"],
    folder: place,
    environment,
  });
  try {
    await server.until(async () => (await fetch(url)).ok);
    for (const path of ["/accounts", "/edge"]) {
      const text = await (await fetch(url + path)).text();
      if (text !== '["connection-1"]') throw new Error(`Next.js gave ${text.slice(0, 200)} at ${path}`);
    }
    const page = await (await fetch(url)).text();
    if (!page.includes('<form action="/connect" method="post">')) throw new Error("the page of Next.js has no form");
  } finally {
    // It ends by the signal.
    await server.stop().catch(() => undefined);
  }
  console.log("  Next.js: builds; routes of both runtimes read the accounts, and a page has the React button");
}
