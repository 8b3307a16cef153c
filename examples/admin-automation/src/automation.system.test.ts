import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { type AdminClient, type AdminWriter, createAdmin, DeclarationError } from "@social-connect/admin-sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Deployment, startDeployment } from "../../../system-tests/deployment/deployment.ts";
import { readDeclarations } from "./declarations.ts";
import { synchronize } from "./synchronize.ts";

const CLIENTS = fileURLToPath(new URL("../clients", import.meta.url));
/** For tests that start processes, on a machine that has other things to do. */
const PATIENCE_MS = 120_000;
const MAIN = fileURLToPath(new URL("./main.ts", import.meta.url));

let deployment: Deployment;
let admin: AdminWriter;
let folder: string;

beforeAll(async () => {
  deployment = await startDeployment({ roles: ["api"] });
  admin = createAdmin({ host: deployment.url, key: deployment.admin.writeKey, scope: "WRITE" });
  folder = await mkdtemp(join(tmpdir(), "social-connect-automation-"));
});
afterAll(async () => {
  await deployment[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

/** Sorted by slug. */
async function readClients(): Promise<readonly AdminClient[]> {
  const clients: AdminClient[] = [];
  for await (const client of admin.clients()) clients.push(client);
  return clients;
}

/** Runs the program as a person or a pipeline would. */
async function run(...args: string[]) {
  const flags = ["--conditions=@social-connect/source", "--disable-warning=ExperimentalWarning"];
  const child = spawn(process.execPath, [...flags, MAIN, ...args], {
    env: {
      PATH: process.env.PATH,
      SOCIAL_CONNECT_ADMIN_HOST: deployment.url,
      SOCIAL_CONNECT_ADMIN_KEY: deployment.admin.writeKey,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { output, errors, exitCode: child.exitCode };
}

test(
  "shows the declared clients, creates them as declared, leaves them unchanged on later runs, and reports the audit entries",
  async () => {
    const planned = await run();
    expect(planned).toMatchObject({ exitCode: 0, errors: "" });
    expect(planned.output).toContain("client atelier will be created");
    expect(planned.output).toContain("planned");
    expect((await readClients()).length).toBe(0);

    const applied = await run("--apply");
    expect(applied).toMatchObject({ exitCode: 0, errors: "" });
    expect(await readClients()).toMatchObject([
      { slug: "atelier", previewOriginsEnabled: true, tenantKeys: ["acme-studio", "globex-media"] },
      { slug: "newsletter", returnUrls: ["https://newsletter.example.com/authors/connected"] },
    ]);
    expect(applied.output).toContain("newsletter  Client created");
    expect((await run("--apply")).output).toContain("nothing to do");
  },
  PATIENCE_MS,
);

test("does not apply a removal before it is allowed", async () => {
  const written = await readFile(join(CLIENTS, "atelier.yaml"), "utf8");
  await writeFile(join(folder, "atelier.yaml"), written.replace("  - globex-media\n", ""));
  const log: string[] = [];
  const options = { isDryRun: false, log: (line: string) => void log.push(line) };
  const declarations = await readDeclarations(folder);
  expect(await synchronize(admin, declarations, { ...options, allowDestructive: false })).toBe("needs review");
  expect(log.join("\n")).toContain("-! tenant key          globex-media");
  expect(await synchronize(admin, declarations, { ...options, allowDestructive: true })).toBe("done");
  expect(await synchronize(admin, declarations, { ...options, allowDestructive: true })).toBe("nothing to do");
});

test(
  "reports a mistake in a file with its line, and changes nothing",
  async () => {
    await writeFile(join(folder, "atelier.yaml"), "slug: atelier\nproviders: [PROVIDER_Z]\n");
    await expect(readDeclarations(folder)).rejects.toBeInstanceOf(DeclarationError);
    const failed = await run("--clients", folder, "--apply");
    expect(failed.exitCode).toBe(1);
    expect(failed.errors).toContain(`${join(folder, "atelier.yaml")}:2:13: providers[0]: must be one of PROVIDER_A`);
  },
  PATIENCE_MS,
);
