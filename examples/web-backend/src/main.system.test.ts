import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { INHERITED_ENVIRONMENT } from "@social-connect/testkit";
import { afterEach, describe, expect, it } from "vitest";

const KEY = `11111111-2222-4333-8444-555555555555.${"ab".repeat(32)}`;
/** As in the script `start`. */
const FLAGS = ["--conditions=@social-connect/source", "--disable-warning=ExperimentalWarning"];
const ENVIRONMENT = {
  PORT: "0",
  SOCIAL_CONNECT_URL: "http://127.0.0.1:9",
  SOCIAL_CONNECT_KEY: KEY,
  SOCIAL_CONNECT_TENANT: "acme",
  RETURN_URL: "http://127.0.0.1:4403/return",
  IMAGE_ORIGIN: "http://127.0.0.1:4401",
  SESSION_SECRET: "0123456789abcdef0123456789abcdef",
};

const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

function start(changes: Record<string, string | undefined> = {}) {
  const main = fileURLToPath(new URL("main.ts", import.meta.url));
  const child = spawn(process.execPath, [...FLAGS, main], {
    env: { ...INHERITED_ENVIRONMENT, ...ENVIRONMENT, ...changes },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const collect = (chunk: Buffer) => {
    output += chunk.toString();
  };
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
  children.push(child);
  return { child, output: () => output, ended: once(child, "close").then(([code]: unknown[]) => code) };
}

describe("the program", () => {
  it("prints one line when it is ready, answers, and ends cleanly on SIGTERM", async () => {
    const { child, output, ended } = start();
    await Promise.race([once(child.stdout, "data"), ended]);
    const address = /^Example web backend ready at (http:\/\/127\.0\.0\.1:\d+)\n$/.exec(output())?.[1];
    // The client keeps the connection open, which must not prevent the process from exiting.
    expect(await (await fetch(`${address}/healthz`)).text()).toBe("ok");
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
    expect(output()).not.toContain(KEY);
  });

  it("says in one line that its port is taken", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const address = other.address();
    const port = String(typeof address === "object" ? address?.port : 0);
    const { output, ended } = start({ PORT: port });
    expect(await ended).toBe(1);
    expect(output()).toBe(`The example web backend cannot listen: port ${port} is in use. Set PORT to a free one.\n`);
    other.close();
  });
});

describe("a wrong setting", () => {
  it.each([
    [{ SOCIAL_CONNECT_URL: undefined }, "SOCIAL_CONNECT_URL is not set"],
    [{ SOCIAL_CONNECT_KEY: KEY.slice(1) }, "key is not an application key"],
    [{ SOCIAL_CONNECT_URL: "http://api.example.com" }, "baseUrl must use https"],
    [{ RETURN_URL: "http://127.0.0.1:4403/elsewhere" }, "RETURN_URL is wrong"],
    [{ IMAGE_ORIGIN: "'unsafe-inline'; script-src *" }, "IMAGE_ORIGIN is wrong"],
    [{ SESSION_SECRET: "short" }, "SESSION_SECRET is wrong"],
    [{ PORT: "70000" }, "PORT is wrong"],
  ])("ends the start with a line that names it and repeats no secret: %o", async (changes, message) => {
    const { output, ended } = start(changes);
    expect(await ended).toBe(1);
    expect(output()).toMatch(/^The example web backend cannot start: [^\n]+\n$/);
    expect(output()).toContain(message);
    for (const secret of [KEY.slice(1), "unsafe-inline"]) expect(output()).not.toContain(secret);
  });
});
