import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { INHERITED_ENVIRONMENT } from "@social-connect/testkit";
import { afterEach, expect, test } from "vitest";
import { portVariable } from "./settings.ts";
import { PROVIDER_KEYS } from "./shared/providerKeys.ts";

const MAIN = fileURLToPath(new URL("./main.ts", import.meta.url));
const PORT_VARIABLES = ["SIMULATOR_PORT", "ISSUER_PORT", ...PROVIDER_KEYS.map(portVariable)];
const FREE_PORTS = Object.fromEntries(PORT_VARIABLES.map((name) => [name, "0"]));
const running: ChildProcess[] = [];

afterEach(() => {
  for (const child of running.splice(0)) child.kill("SIGKILL");
});

function start(environment: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, ["--conditions=@social-connect/source", MAIN], {
    env: { ...INHERITED_ENVIRONMENT, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.push(child);
  return child;
}

test("prints its URLs in one line, serves them, and exits with code 0 on SIGTERM", async () => {
  const child = start(FREE_PORTS);
  const lines = createInterface({ input: child.stdout ?? process.stdin });
  const [line] = await once(lines, "line");
  const { ready, simulatorUrl, issuerUrl, providerUrls } = JSON.parse(String(line));
  expect(ready).toBe(true);
  expect((await fetch(`${simulatorUrl}/__sim/clock`)).status).toBe(200);
  expect((await fetch(`${issuerUrl}/.well-known/openid-configuration`)).status).toBe(200);
  const origins = Object.values<string>(providerUrls);
  expect(new Set([simulatorUrl, issuerUrl, ...origins]).size).toBe(PORT_VARIABLES.length);
  for (const origin of origins) expect((await fetch(`${origin}/consent`)).headers.get("content-type")).toMatch("json");
  child.kill("SIGTERM");
  const [code] = await once(child, "exit");
  expect(code).toBe(0);
});

test("continues when its output is closed, and on signals that mean nothing to it", async () => {
  const child = start(FREE_PORTS);
  const lines = createInterface({ input: child.stdout ?? process.stdin });
  const [line] = await once(lines, "line");
  const { simulatorUrl } = JSON.parse(String(line)) as { simulatorUrl: string };
  child.stdout?.destroy();
  child.stderr?.destroy();
  for (const signal of ["SIGUSR1", "SIGUSR2", "SIGALRM", "SIGIO"] as const) child.kill(signal);
  for (let count = 0; count < 3; count++) expect((await fetch(`${simulatorUrl}/__sim/clock`)).status).toBe(200);
  child.kill("SIGHUP");
  expect(await once(child, "exit")).toEqual([0, null]);
});

test.each([
  ["SIMULATOR_HOST", "192.0.2.1", /^The address in SIMULATOR_HOST is not one of this machine\. Set it/],
  ["SIMULATOR_HOST", "host.invalid", /^The address in SIMULATOR_HOST is not one of this machine\. Set it/],
  ["SIMULATOR_STATE_FILE", "/", /^The state file \/ cannot be read \(EISDIR\)\..+in SIMULATOR_STATE_FILE\.$/],
  ["SIMULATOR_STATE_FILE", MAIN, /is not a state file of this simulator\. .+in SIMULATOR_STATE_FILE\.$/],
])("exits with code 1 and names the setting: %s=%s", async (name, value, message) => {
  const child = start({ ...FREE_PORTS, [name]: value });
  let output = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  const [code] = await once(child, "close");
  expect(code).toBe(1);
  expect(output.trim()).toMatch(message);
});

test.each(["SIMULATOR_PORT", "ISSUER_PORT", "PROVIDER_C_PORT"])(
  "exits with code 1 and names the port if a %s is in use",
  async (name) => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    const { port } = taken.address() as AddressInfo;
    const child = start({ ...FREE_PORTS, [name]: `${port}` });
    let output = "";
    child.stderr?.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
    const [code] = await once(child, "close");
    taken.close();
    expect([code, output.trim()]).toEqual([
      1,
      `Port ${port} is in use. Stop the process that uses it, or set another port: ${PORT_VARIABLES.join(", ")}.`,
    ]);
  },
);
