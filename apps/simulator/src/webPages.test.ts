import { HOSTILE_PAGES, rawRequest } from "@social-connect/testkit";
import { afterEach, beforeEach, expect, test } from "vitest";
import { byProvider } from "./shared/providerKeys.ts";
import { type RunningSimulator, type SimulatorOptions, startSimulator } from "./startSimulator.ts";

const START = new Date("2026-06-15T12:00:00.000Z");
const ADVANCE = { method: "POST", body: '{"advance": "1h"}' };
let simulator: RunningSimulator;

async function start(options: Partial<SimulatorOptions> = {}): Promise<void> {
  const clock = { now: () => START };
  simulator = await startSimulator({ port: 0, issuerPort: 0, clients: {}, issuerClients: [], clock, ...options });
}

beforeEach(() => start());
afterEach(() => simulator.close());

const advance = (headers: Readonly<Record<string, string>> = {}) =>
  rawRequest(`${simulator.simulatorUrl}/__sim/clock`, { ...ADVANCE, headers });

async function now(): Promise<unknown> {
  return JSON.parse((await rawRequest(`${simulator.simulatorUrl}/__sim/clock`)).text).now;
}

test.each(HOSTILE_PAGES)("the simulator's control API is not available to a page: %s", async (_, headers) => {
  expect((await advance(headers)).status).toBe(403);
  expect(await now()).toBe(START.toISOString());
  // The control: a program.
  expect((await advance({ "content-type": "text/plain" })).status).toBe(200);
  expect(await now()).toBe("2026-06-15T13:00:00.000Z");
});

test("no server of the simulator responds to a rebound name", async () => {
  for (const url of [simulator.simulatorUrl, simulator.issuerUrl, ...Object.values(simulator.providerUrls)]) {
    const refused = await rawRequest(`${url}/`, { headers: { host: "evil.test" } });
    expect([refused.status, refused.text]).toEqual([403, "evil.test is not a host name of this server.\n"]);
    expect((await rawRequest(`${url}/`, { headers: { host: "name.localhost:8443" } })).status).not.toBe(403);
  }
});

test.each(["0.0.0.0", "::"])("a simulator that listens at %s has URLs that clients can use", async (host) => {
  await simulator.close();
  await start({ host });
  const { simulatorUrl, issuerUrl, providerUrls } = simulator;
  for (const url of [simulatorUrl, issuerUrl, ...Object.values(providerUrls)]) {
    expect(new URL(url).hostname).toBe(host === "::" ? "[::1]" : "127.0.0.1");
    expect((await rawRequest(url)).status).not.toBe(403);
    expect((await rawRequest(url, { headers: { host: "192.0.2.7:14401" } })).status).not.toBe(403);
    expect((await rawRequest(url, { headers: { host: "evil.test" } })).status).toBe(403);
  }
  // The control API is for this machine only.
  expect((await advance({ host: "192.0.2.7" })).status).toBe(403);
});

test("public URLs are in its responses, and their host names are allowed", async () => {
  const own = simulator;
  const publicUrls = {
    simulator: "https://simulator.example.test",
    issuer: "https://issuer.example.test",
    providers: byProvider((provider) => `https://${provider}.example.test`),
  };
  const port = Number(new URL(own.issuerUrl).port);
  await own.close();
  await start({ publicUrls, issuerPort: port });
  expect(simulator.issuerUrl).toBe("https://issuer.example.test");
  const configuration = `http://127.0.0.1:${port}/.well-known/openid-configuration`;
  const { text } = await rawRequest(configuration, { headers: { host: "issuer.example.test" } });
  expect(JSON.parse(text)).toMatchObject({ issuer: "https://issuer.example.test" });
  expect((await rawRequest(configuration, { headers: { host: "other.example.test" } })).status).toBe(403);
});
