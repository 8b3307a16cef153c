/**
 * Any response ends in a typed error or in plain data: no crash, no busy loop, no hang, and no key, token, proof or
 * argument in any output of the client.
 */
import { createServer, type Server } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { SocialConnectError } from "@social-connect/sdk-core";
import { expectNoneOf, printsOf } from "@social-connect/sdk-core/testing/canaries";
import { type Behaviour, HOSTILE_ANSWERS, serveHostile } from "@social-connect/sdk-core/testing/hostileAnswers";
import { listening, type TestServer } from "@social-connect/sdk-core/testing/servers";
import { steppingClock } from "@social-connect/sdk-core/testing/steppingClock";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { SocialConnect } from "./client.ts";
import { KEY } from "./testing/fakeApi.ts";
import { CANARY_ARGUMENTS, CANARY_SCOPE, OPERATION_CALLS } from "./testing/operationCalls.ts";
import { SESSION_WIRE } from "./testing/samples.ts";

const [KEY_ID = "", KEY_SECRET = ""] = KEY.split(".");
const ANSWERED = [SESSION_WIRE.launchToken, "canary-one-use-token", "canary-second-proof"];
const CANARIES = [KEY, KEY_ID, KEY_SECRET, KEY_SECRET.slice(-20), ...ANSWERED, ...CANARY_ARGUMENTS];

const OPERATIONS = ["connection", "createConnectSession", "redeemIdpIdentityResult"] as const;

/** A document of the caller, with arguments in its text and among its variables. */
const OWN_DOCUMENT = `query ($scope: SubjectScope!) {
  connection(scope: $scope, id: "canary-connection") { id status profile { displayName } capabilities { reason } }
}`;

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

afterEach(() => {
  vi.restoreAllMocks();
});

/** Tests without timing assertions get enough time on slow machines. */
const LIMITS = { timeoutMs: 60_000 };
const TEST_LIMIT_MS = 120_000;

/** The result of a call to a server, after all output of the client was searched for canaries. */
async function endOf(
  baseUrl: string,
  operation: (typeof OPERATIONS)[number] | "request",
  options: { timeoutMs?: number } = {},
) {
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
  const call =
    operation === "request"
      ? social.request(OWN_DOCUMENT, { scope: CANARY_SCOPE }).withResponse()
      : OPERATION_CALLS[operation].run(social, social.forSubject(CANARY_SCOPE));
  const outcome = await call.then(
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

async function running(server: Promise<TestServer>): Promise<string> {
  const { url, close } = await server;
  onTestFinished(close);
  return url;
}

function serve(behaviour: Behaviour): Promise<string> {
  return running(serveHostile(behaviour, (operation) => Object(Reflect.get(OPERATION_CALLS, operation)).good));
}

describe.each(
  Object.entries(HOSTILE_ANSWERS).flatMap(([ends, answers]) =>
    Object.entries(answers).map(([name, behaviour]) => ({ name, ends, behaviour })),
  ),
)("$name", ({ ends, behaviour }) => {
  it.each(OPERATIONS)(
    `ends %s with ${ends}`,
    async (operation) => {
      const { kind, value } = await endOf(await serve(behaviour), operation);
      expect(kind).toBe(ends);
      expect(Reflect.get({}, "polluted")).toBeUndefined();
      if (value !== undefined) expect(Object.keys(Object(value))).not.toContain("__proto__");
    },
    TEST_LIMIT_MS,
  );
});

describe.each(
  Object.entries(HOSTILE_ANSWERS).flatMap(([ends, answers]) =>
    Object.entries(answers).map(([name, behaviour]) => ({ name, ends, behaviour })),
  ),
)("$name", ({ ends, behaviour }) => {
  it(
    "to a document of the caller ends in an error, or in data of its shape",
    async () => {
      const { kind, value } = await endOf(await serve(behaviour), "request");
      // The types of scalars are only known for the documents of the package.
      expect([ends, "data"]).toContain(kind);
      expect(Reflect.get({}, "polluted")).toBeUndefined();
      if (kind !== "data") return;
      const data: unknown = Reflect.get(Object(value), "data");
      expect(Object.keys(Object(data))).toEqual(["connection"]);
    },
    TEST_LIMIT_MS,
  );
});

/** A server that sends these bytes after it has received some. */
function answering(bytes: string): Server {
  return createServer((socket) => void socket.once("data", () => socket.end(bytes)));
}

describe("a connection that", () => {
  it.each<[string, () => Server, string?]>([
    ["is reset immediately", () => createServer((socket) => void socket.resetAndDestroy())],
    [
      "is reset after the request arrived",
      () => createServer((socket) => void socket.once("data", () => socket.resetAndDestroy())),
    ],
    ["is closed without a response", () => answering("")],
    ["uses another protocol", () => answering("SSH-2.0-OpenSSH_9.6\r\n")],
    ["stops within the headers", () => answering("HTTP/1.1 200 OK\r\ncontent-")],
    ["has headers without measure", () => answering(`HTTP/1.1 200 OK\r\nx: ${"y".repeat(200_000)}`)],
    [
      "sends two content lengths",
      () => answering("HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n{}"),
    ],
    // It has no certificate to show.
    ["fails in its TLS handshake", () => createTlsServer({}).on("tlsClientError", () => undefined), "https"],
  ])(
    "%s is an error of transport",
    async (_, makeServer, scheme) => {
      const baseUrl = await running(listening(makeServer(), scheme));
      for (const operation of OPERATIONS) {
        expect(await endOf(baseUrl, operation), operation).toMatchObject({ kind: "transport" });
      }
    },
    TEST_LIMIT_MS,
  );

  it("reports a missing TLS server as a transport error", async () => {
    const baseUrl = await serve(() => undefined);
    expect(await endOf(baseUrl.replace("http:", "https:"), "connection")).toMatchObject({ kind: "transport" });
  });

  it("reports a refused connection as a request that was not sent", async () => {
    const { url, close } = await listening(createServer());
    await close();
    const ended = await endOf(url, "createConnectSession");
    expect(ended.error).toMatchObject({ systemCode: "ECONNREFUSED", mayHaveBeenSent: false });
  });

  it("to an unknown host name reports that nothing was sent", async () => {
    // Longer than a valid host name, so no DNS lookup happens.
    const ended = await endOf(`https://${"x".repeat(64)}.invalid`, "createConnectSession");
    expect(ended.error).toMatchObject({ kind: "transport", mayHaveBeenSent: false });
  });
});

describe("a slow response", () => {
  it.each<[string, Behaviour]>([
    ["that never arrives", () => undefined],
    [
      "that stops after its headers",
      ({ response }) => void response.writeHead(200, { "content-type": "application/json" }).write("{"),
    ],
    [
      "that arrives byte by byte",
      ({ response }) => {
        response.writeHead(200, { "content-type": "application/json" });
        const drip = () => void (response.destroyed || response.write(" ", () => setImmediate(drip)));
        drip();
      },
    ],
  ])("%s is a timeout", async (_, behaviour) => {
    const baseUrl = await serve(behaviour);
    for (const operation of OPERATIONS) {
      expect(await endOf(baseUrl, operation, { timeoutMs: 60 }), operation).toMatchObject({ kind: "timeout" });
    }
  });

  it("rejects with the caller's reason when the caller aborts", async () => {
    const stop = new AbortController();
    const baseUrl = await serve(() => stop.abort("the visitor left"));
    const outcomes: string[] = [];
    const hooks = { onResponse: ({ outcome }: { outcome: string }) => void outcomes.push(outcome) };
    const social = new SocialConnect({ baseUrl, key: KEY, hooks });
    const poll = social.forSubject(CANARY_SCOPE).connection("canary-connection", { signal: stop.signal });
    await expect(poll).rejects.toBe("the visitor left");
    expect(outcomes).toEqual(["ABORTED"]);
  });
});

it("control: finds the canaries", () => {
  const cause = { deep: [new Map([["key", KEY_SECRET]])] };
  const hidden = Object.defineProperty(new Error("x", { cause }), "hidden", { value: KEY_ID });
  expect(() => expectNoneOf([KEY_SECRET], hidden)).toThrow();
  expect(() => expectNoneOf([KEY_ID], hidden)).toThrow();
  const { tenantKey } = CANARY_SCOPE;
  expect(() => expectNoneOf([tenantKey], { [Symbol("s")]: encodeURIComponent(tenantKey) })).toThrow();
  expectNoneOf(["another canary"], hidden);
});
