import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync } from "node:fs";
import { mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { FLAGS, startProgram } from "@social-connect/sdk-core/testing/runProgram";
import { listening, startService, type TestServer } from "@social-connect/sdk-core/testing/servers";
import { expect, it, onTestFinished, vi } from "vitest";
import { CLIENT_ID, SHOP } from "../testing/clients.ts";
import { FakeAdmin, KEY } from "../testing/fakeAdmin.ts";
import { EXIT } from "./exitCodes.ts";

const MAIN = new URL("./main.ts", import.meta.url);

/** Generous, because each test starts a process. */
vi.setConfig({ testTimeout: 120_000 });

async function serve(server: Promise<TestServer>): Promise<string> {
  const { url, close } = await server;
  onTestFinished(close);
  return url;
}

/** A fake service with a client, in this process, and its address. */
async function startShop() {
  const api = new FakeAdmin();
  api.put(SHOP);
  return { api, host: await serve(startService(api.fetch)) };
}

function environmentFor(host: string) {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return { PATH, NODE_COMPILE_CACHE, SOCIAL_CONNECT_ADMIN_HOST: host, SOCIAL_CONNECT_ADMIN_KEY: KEY };
}

/** The command as a process, as a shell starts it. */
function start(host: string, ...argv: readonly string[]) {
  return startProgram(MAIN, argv, environmentFor(host));
}

it("reads the standard input, prints, and exits with its exit code", async () => {
  const { host } = await startShop();
  const { child, end } = start(host, "plan", "-f", "-", "--exit-code");
  child.stdin.end("slug: shop\ndisplayName: Shop\n");
  const { output, errors, exitCode } = await end();
  expect({ errors, exitCode }).toEqual({ errors: "", exitCode: EXIT.differs });
  expect(output).toContain(`client shop will be changed (id ${CLIENT_ID})`);
});

it("writes a plan for its owner only, and not through a symbolic link", async () => {
  const { host } = await startShop();
  const folder = await mkdtemp(join(tmpdir(), "plans-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [own, foreign, link] = ["plan.json", "foreign", "link.json"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const plan = (out: string) => {
    const { child, end } = start(host, "plan", "-f", "-", "--out", out);
    child.stdin.end("slug: shop\ndisplayName: Shop\n");
    return end();
  };
  expect(await plan(own)).toMatchObject({ exitCode: EXIT.done, errors: "" });
  expect((await stat(own)).mode & 0o777).toBe(0o600);
  await writeFile(foreign, "foreign");
  await symlink(foreign, link);
  const refused = await plan(link);
  expect(refused).toMatchObject({ exitCode: EXIT.noOutput });
  expect(refused.errors).toContain(`${link} is a symbolic link. Choose another file with \`--out\`.`);
  expect(await readFile(foreign, "utf8")).toBe("foreign");
});

it("skips a byte order mark, and rejects what is not UTF-8", async () => {
  const { host } = await startShop();
  const plan = (text: string | Buffer) => {
    const { child, end } = start(host, "plan", "-f", "-");
    child.stdin.end(text);
    return end();
  };
  expect(await plan("\uFEFFslug: shop\ndisplayName: Shop\n")).toMatchObject({ exitCode: EXIT.done, errors: "" });
  const refused = await plan(Buffer.from([0xff, 0xfe, 0x73, 0x00]));
  expect(refused).toMatchObject({ exitCode: EXIT.noInput, errors: "- is not UTF-8. Save it as UTF-8.\n" });
});

it("names the variable and the remedy if the service cannot be reached", async () => {
  const reset = createTcpServer((socket) => void socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
  await once(reset.listen(0, "127.0.0.1"), "listening");
  const { port } = reset.address() as AddressInfo;
  onTestFinished(() => void reset.close());
  const noTls = await start(`https://127.0.0.1:${port}`, "clients", "list").end();
  expect(noTls.exitCode).toBe(EXIT.unavailable);
  expect(noTls.errors).toContain("does not use TLS. Check the scheme and port in SOCIAL_CONNECT_ADMIN_HOST.");
  const unknown = await start("https://admin.invalid", "clients", "list").end();
  expect(unknown.exitCode).toBe(EXIT.unavailable);
  expect(unknown.errors).toContain("Check the host in SOCIAL_CONNECT_ADMIN_HOST and whether the service is running.");
});

it("does not prompt without a terminal", async () => {
  const { api, host } = await startShop();
  const { child, end } = start(host, "apply", "-f", "-");
  child.stdin.end("slug: shop\ndisplayName: Shop\n");
  expect(await end()).toMatchObject({ exitCode: EXIT.refused });
  expect(api.writes()).toEqual([]);
});

it("exits on a signal while it waits for the service", async () => {
  let child: ReturnType<typeof start>["child"] | undefined;
  const host = await serve(listening(createServer(() => child?.kill("SIGINT"))));
  const started = start(host, "clients", "list");
  child = started.child;
  expect(await started.end()).toMatchObject({ exitCode: EXIT.interrupted, output: "" });
});

it("exits without an error when its output is closed", async () => {
  const { api, host } = await startShop();
  api.pageSize = 100;
  for (let number = 0; number < 500; number += 1)
    api.put({ ...SHOP, id: `${CLIENT_ID}-${number}`, slug: `shop-${number}` });
  const { child, errors } = start(host, "clients", "list", "--json");
  child.stdout.destroy();
  await once(child, "close");
  expect({ exitCode: child.exitCode, errors: await errors }).toEqual({ exitCode: EXIT.done, errors: "" });
});

it("completes an apply when its output is closed", async () => {
  const { api, host } = await startShop();
  const { child, errors } = start(host, "apply", "-f", "-", "--yes");
  child.stdout.destroy();
  child.stdin.end("slug: shop\ndisplayName: Shop\ntenantKeys: [acme, globex, one, two]\n");
  await once(child, "close");
  expect({ exitCode: child.exitCode, errors: await errors }).toEqual({ exitCode: EXIT.done, errors: "" });
  expect(api.writes()).toEqual(["setClientDisplayName", "addClientTenantKey", "addClientTenantKey"]);
});

it.skipIf(!existsSync("/dev/full"))("fails if its output cannot be written", async () => {
  const { host } = await startShop();
  const full = openSync("/dev/full", "w");
  const child = spawn(process.execPath, [...FLAGS, fileURLToPath(MAIN), "clients", "list"], {
    env: environmentFor(host),
    stdio: ["ignore", full, "ignore"],
  });
  await once(child, "close");
  closeSync(full);
  expect(child.exitCode).toBe(EXIT.noOutput);
});
