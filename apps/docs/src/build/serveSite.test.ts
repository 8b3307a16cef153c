import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { rawRequest } from "@social-connect/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";

const COMMAND = ["--conditions=@social-connect/source", "--disable-warning=ExperimentalWarning"];
let child: ReturnType<typeof spawn>;
let url = "";

beforeAll(async () => {
  const cli = fileURLToPath(new URL("../cli.ts", import.meta.url));
  const env = { ...process.env, NODE_OPTIONS: "", NO_COLOR: "1" };
  child = spawn(process.execPath, [...COMMAND, cli, "serve", "--port", "0"], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  for await (const line of createInterface({ input: child.stdout ?? process.stdin })) {
    url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0] ?? "";
    if (url !== "") break;
  }
});
afterAll(async () => {
  child.kill("SIGTERM");
  await once(child, "close");
});

test("the documentation server prints a URL that browsers can open, and responds under the names of this machine only", async () => {
  const status = async (host: string) =>
    (await rawRequest(`${url}/`, { headers: { host, accept: "text/html" } })).status;
  expect(await status(new URL(url).host)).toBe(200);
  expect(await status("localhost:80")).toBe(200);
  for (const host of ["evil.test", "127.0.0.1.evil.test", "evil-localhost"])
    expect([host, await status(host)]).toEqual([host, 403]);
});

test("pages of other origins cannot read the documentation server", async () => {
  for (const origin of ["https://evil.test", "http://localhost:3000", "http://evil.localhost", "null"]) {
    const { headers } = await rawRequest(`${url}/`, { headers: { origin, accept: "text/html" } });
    expect([origin, headers["access-control-allow-origin"]]).toEqual([origin, undefined]);
  }
});
