import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync } from "node:fs";
import type { RequestListener, Server } from "node:http";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterEach, expect, it, vi } from "vitest";
import { CLIENT_ID, SHOP } from "../testing/clients.ts";
import { FakeAdmin, KEY } from "../testing/fakeAdmin.ts";
import { EXIT } from "./exitCodes.ts";

const MAIN = fileURLToPath(new URL("./main.ts", import.meta.url));
const FLAGS = ["--conditions=@social-connect/source", "--disable-warning=ExperimentalWarning"];

/** Generous, because each test starts a process. */
vi.setConfig({ testTimeout: 120_000 });

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
}

/** The fake service on a port, for a separate process. */
function serving(api: FakeAdmin): RequestListener {
  return async (request, response) => {
    const body = await text(request);
    const answer = await api.fetch(request.url, { body, headers: Object(request.headers) });
    response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
  };
}

function environmentFor(host: string) {
  return { PATH: process.env.PATH, SOCIAL_CONNECT_ADMIN_HOST: host, SOCIAL_CONNECT_ADMIN_KEY: KEY };
}

/** The command as a process, as a shell starts it. */
function start(host: string, ...argv: readonly string[]) {
  const child = spawn(process.execPath, [...FLAGS, MAIN, ...argv], {
    env: environmentFor(host),
    stdio: ["pipe", "pipe", "pipe"],
  });
  const errors = text(child.stderr);
  const end = async () => {
    const [output] = await Promise.all([text(child.stdout), once(child, "close")]);
    return { output, errors: await errors, exitCode: child.exitCode };
  };
  return { child, errors, end };
}

it("reads the standard input, prints, and exits with its exit code", async () => {
  const api = new FakeAdmin();
  api.put(SHOP);
  const { child, end } = start(await serve(serving(api)), "plan", "-f", "-", "--exit-code");
  child.stdin.end("slug: shop\ndisplayName: Shop\n");
  const { output, errors, exitCode } = await end();
  expect({ errors, exitCode }).toEqual({ errors: "", exitCode: EXIT.differs });
  expect(output).toContain(`client shop will be changed (id ${CLIENT_ID})`);
});

it("does not prompt without a terminal", async () => {
  const api = new FakeAdmin();
  api.put(SHOP);
  const { child, end } = start(await serve(serving(api)), "apply", "-f", "-");
  child.stdin.end("slug: shop\ndisplayName: Shop\n");
  expect(await end()).toMatchObject({ exitCode: EXIT.refused });
  expect(api.writes()).toEqual([]);
});

it("exits on a signal while it waits for the service", async () => {
  let child: ReturnType<typeof start>["child"] | undefined;
  const host = await serve(() => child?.kill("SIGINT"));
  const started = start(host, "clients", "list");
  child = started.child;
  expect(await started.end()).toMatchObject({ exitCode: EXIT.interrupted, output: "" });
});

it("exits without an error when its output is closed", async () => {
  const api = new FakeAdmin();
  api.pageSize = 100;
  for (let number = 0; number < 500; number += 1)
    api.put({ ...SHOP, id: `${CLIENT_ID}-${number}`, slug: `shop-${number}` });
  const { child, errors } = start(await serve(serving(api)), "clients", "list", "--json");
  child.stdout.destroy();
  await once(child, "close");
  expect({ exitCode: child.exitCode, errors: await errors }).toEqual({ exitCode: EXIT.done, errors: "" });
});

it("completes an apply when its output is closed", async () => {
  const api = new FakeAdmin();
  api.put(SHOP);
  const { child, errors } = start(await serve(serving(api)), "apply", "-f", "-", "--yes");
  child.stdout.destroy();
  child.stdin.end("slug: shop\ndisplayName: Shop\ntenantKeys: [acme, globex, one, two]\n");
  await once(child, "close");
  expect({ exitCode: child.exitCode, errors: await errors }).toEqual({ exitCode: EXIT.done, errors: "" });
  expect(api.writes()).toEqual(["setClientDisplayName", "addClientTenantKey", "addClientTenantKey"]);
});

it.skipIf(!existsSync("/dev/full"))("fails if its output cannot be written", async () => {
  const api = new FakeAdmin();
  api.put(SHOP);
  const full = openSync("/dev/full", "w");
  const child = spawn(process.execPath, [...FLAGS, MAIN, "clients", "list"], {
    env: environmentFor(await serve(serving(api))),
    stdio: ["ignore", full, "ignore"],
  });
  await once(child, "close");
  closeSync(full);
  expect(child.exitCode).toBe(EXIT.noOutput);
});
