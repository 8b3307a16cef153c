/**
 * Any response ends in a typed error or in plain data: no crash, no busy loop, no hang, and no key, token, proof or
 * argument in any output of the client.
 */
import { once } from "node:events";
import { createServer } from "node:net";
import { Secret, SocialConnectError } from "@social-connect/sdk-core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { SocialConnect } from "./client.ts";
import { expectNoneOf, printsOf } from "./testing/canaries.ts";
import { KEY, steppingClock } from "./testing/fakeApi.ts";
import { HOSTILE_ANSWERS } from "./testing/hostileBehaviours.ts";
import type { Hostile } from "./testing/hostileServer.ts";
import { serve, serveRaw, serveWithoutCertificate } from "./testing/hostileServer.ts";
import { SESSION_WIRE } from "./testing/samples.ts";

const [KEY_ID = "", KEY_SECRET = ""] = KEY.split(".");
const PROOF = "canary-proof-0123456789";
const SCOPE = { tenantKey: "canary tenant/ä", externalSubjectId: "canary-subject-42" };
const RETURN_URL = "https://canary.example/return?to=canary";
const ARGUMENTS = [SCOPE.tenantKey, SCOPE.externalSubjectId, RETURN_URL, "canary-connection", "canary-handoff"];
const ANSWERED = [SESSION_WIRE.launchToken, "canary-one-use-token", "canary-second-proof"];
const CANARIES = [KEY, KEY_ID, KEY_SECRET, KEY_SECRET.slice(-20), PROOF, ...ANSWERED, ...ARGUMENTS];

const CALLS = {
  connection: (social: SocialConnect) => social.forSubject(SCOPE).connection("canary-connection"),
  createConnectSession: (social: SocialConnect) =>
    social.forSubject(SCOPE).connect({ provider: "PROVIDER_A", capabilities: ["PROFILE"], returnUrl: RETURN_URL }),
  redeemIdpIdentityResult: (social: SocialConnect) =>
    social.redeemIdpIdentity({ id: "canary-handoff", tenantKey: SCOPE.tenantKey, resultProof: new Secret(PROOF) }),
};
const OPERATIONS = Object.keys(CALLS) as (keyof typeof CALLS)[];

const open: Hostile[] = [];
let written: string[];

beforeEach(() => {
  written = [];
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, "write").mockImplementation((chunk) => written.push(String(chunk)) > 0);
  }
  const log = (...values: unknown[]) => void written.push(values.map(printsOf).join(" "));
  for (const level of ["debug", "info", "log", "warn", "error"] as const) {
    vi.spyOn(console, level).mockImplementation(log);
  }
});

afterEach(async () => {
  vi.restoreAllMocks();
  for (const server of open.splice(0)) await server.close();
});

/** Tests without timing assertions get enough time on slow machines. */
const LIMITS = { timeoutMs: 60_000 };
const TEST_LIMIT_MS = 120_000;

/** The result of a call to a server, after all output of the client was searched for canaries. */
async function endOf(baseUrl: string, operation: keyof typeof CALLS, options: { timeoutMs?: number } = {}) {
  const events: unknown[] = [];
  const record = (event: unknown) => void events.push(event);
  const hooks = { onRequest: record, onResponse: record, onRetry: record };
  const social = new SocialConnect({
    baseUrl,
    key: KEY,
    hooks,
    clock: steppingClock(),
    retries: 1,
    ...LIMITS,
    ...options,
  });
  const outcome = await CALLS[operation](social).then(
    (value: unknown) => ({ value }),
    (error: unknown) => ({ error }),
  );
  expectNoneOf(CANARIES, [events, written, social]);
  expect(events.length).toBeGreaterThanOrEqual(2);
  if ("value" in outcome) return { kind: "data", value: outcome.value };
  const { error } = outcome;
  if (!(error instanceof SocialConnectError)) throw new Error(`${operation} ended with no error of the package`);
  expectNoneOf(CANARIES, error);
  expect(Reflect.ownKeys(error)).not.toContain("cause");
  expect(error.message.length).toBeLessThan(600);
  expect(error.message).not.toMatch(/[\p{Cc}\u2028]/u);
  return { kind: error.kind, error };
}

async function running(server: Promise<Hostile>): Promise<string> {
  const { baseUrl } = await server.then((opened) => {
    open.push(opened);
    return opened;
  });
  return baseUrl;
}

describe.each(Object.entries(HOSTILE_ANSWERS))("%s", (_, { behaves, ends }) => {
  it.each(OPERATIONS)(
    `ends %s with ${ends}`,
    async (operation) => {
      const { kind, value } = await endOf(await running(serve(behaves)), operation);
      expect(kind).toBe(ends);
      expect(Reflect.get({}, "polluted")).toBeUndefined();
      if (value !== undefined) expect(Object.keys(Object(value))).not.toContain("__proto__");
    },
    TEST_LIMIT_MS,
  );
});

describe("a connection that", () => {
  it.each([
    ["is reset immediately", serveRaw((socket) => void socket.resetAndDestroy())],
    [
      "is reset after the request arrived",
      serveRaw((socket) => void socket.once("data", () => socket.resetAndDestroy())),
    ],
    ["is closed without a response", serveRaw((socket) => void socket.once("data", () => socket.end()))],
    ["uses another protocol", serveRaw((socket) => void socket.end("SSH-2.0-OpenSSH_9.6\r\n"))],
    [
      "stops within the headers",
      serveRaw((socket) => void socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\ncontent-"))),
    ],
    [
      "has headers without measure",
      serveRaw(
        (socket) => void socket.once("data", () => socket.write(`HTTP/1.1 200 OK\r\nx: ${"y".repeat(200_000)}`)),
      ),
    ],
    [
      "sends two content lengths",
      serveRaw(
        (socket) =>
          void socket.once("data", () =>
            socket.end("HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n{}"),
          ),
      ),
    ],
    ["fails in its TLS handshake", serveWithoutCertificate()],
  ])(
    "%s is an error of transport",
    async (_, server) => {
      const baseUrl = await running(server);
      for (const operation of OPERATIONS) {
        expect(await endOf(baseUrl, operation), operation).toMatchObject({ kind: "transport" });
      }
    },
    TEST_LIMIT_MS,
  );

  it("reports a missing TLS server as a transport error", async () => {
    const baseUrl = await running(serve(() => undefined));
    expect(await endOf(baseUrl.replace("http:", "https:"), "connection")).toMatchObject({ kind: "transport" });
  });

  it("reports a refused connection as a request that was not sent", async () => {
    const vacant = createServer().listen(0, "127.0.0.1");
    await once(vacant, "listening");
    const address = vacant.address();
    vacant.close();
    await once(vacant, "close");
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const ended = await endOf(`http://127.0.0.1:${port}`, "createConnectSession");
    expect(ended.error).toMatchObject({ systemCode: "ECONNREFUSED", mayHaveBeenSent: false });
  });

  it("to an unknown host name reports that nothing was sent", async () => {
    // Longer than a valid host name, so no DNS lookup happens.
    const ended = await endOf(`https://${"x".repeat(64)}.invalid`, "createConnectSession");
    expect(ended.error).toMatchObject({ kind: "transport", mayHaveBeenSent: false });
  });
});

describe("a slow response", () => {
  it.each([
    ["that never arrives", serve(() => undefined)],
    [
      "that stops after its headers",
      serve(({ response }) => void response.writeHead(200, { "content-type": "application/json" }).write("{")),
    ],
    [
      "that arrives byte by byte",
      serve(({ response }) => {
        response.writeHead(200, { "content-type": "application/json" });
        const drip = () => void (response.destroyed || response.write(" ", () => setImmediate(drip)));
        drip();
      }),
    ],
  ])("%s is a timeout", async (_, server) => {
    const baseUrl = await running(server);
    for (const operation of OPERATIONS) {
      expect(await endOf(baseUrl, operation, { timeoutMs: 60 }), operation).toMatchObject({ kind: "timeout" });
    }
  });

  it("rejects with the caller's reason when the caller aborts", async () => {
    const stop = new AbortController();
    const baseUrl = await running(serve(() => stop.abort("the visitor left")));
    const outcomes: string[] = [];
    const hooks = { onResponse: ({ outcome }: { outcome: string }) => void outcomes.push(outcome) };
    const social = new SocialConnect({ baseUrl, key: KEY, hooks });
    const poll = social.forSubject(SCOPE).connection("canary-connection", { signal: stop.signal });
    await expect(poll).rejects.toBe("the visitor left");
    expect(outcomes).toEqual(["ABORTED"]);
  });
});

it("control: finds the canaries", () => {
  const hidden = Object.defineProperty(
    new Error("x", { cause: { deep: [new Map([["key", KEY_SECRET]])] } }),
    "hidden",
    {
      value: PROOF,
    },
  );
  expect(() => expectNoneOf([KEY_SECRET], hidden)).toThrow();
  expect(() => expectNoneOf([PROOF], hidden)).toThrow();
  expect(() => expectNoneOf([SCOPE.tenantKey], { [Symbol("s")]: encodeURIComponent(SCOPE.tenantKey) })).toThrow();
  expectNoneOf(["another canary"], hidden);
});
