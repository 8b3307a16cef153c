import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { ORIGIN } from "../modules/testing/builders.ts";
import { startConnect } from "../modules/testing/calls.ts";
import { application, service } from "../modules/testing/fixtures.ts";
import { newId, newSecretHex } from "../platform/ids.ts";
import { sendBytes } from "./testing/sendBytes.ts";
import { server, useServer } from "./testing/testServer.ts";

useServer();

/** Malformed and hostile requests, as bytes on a socket. */
const send = (bytes: string, isEnough?: (answers: string) => boolean) => sendBytes(server.url, bytes, isEnough);

function statuses(answers: string): number[] {
  return [...answers.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
}

function request(line: string, headers: readonly string[] = [], body = ""): string {
  const all = [`${line} HTTP/1.1`, "Host: 127.0.0.1", `Content-Length: ${body.length}`, ...headers];
  return `${all.join("\r\n")}\r\n\r\n${body}`;
}

const CLOSE = "Connection: close";
const JSON_TYPE = "Content-Type: application/json";
const FORM_TYPE = "Content-Type: application/x-www-form-urlencoded";
const READINESS = JSON.stringify({ query: "{ integrationReadiness { idpIdentityAvailable } }" });
const bearer = () => `Authorization: Bearer ${application.key}`;

async function launchToken(): Promise<{ readonly token: string; status(): Promise<string> }> {
  const { id, launchToken } = await startConnect(service, application);
  return {
    token: launchToken.reveal(),
    status: async () => (await service.prisma.connectAttempt.findFirstOrThrow({ where: { id } })).status,
  };
}

test.each(["/api/connect/redeem", "/api/identity/redeem", "/api/connect/deauthorize/provider-c"])(
  "an endless form is answered as soon as it exceeds the limit: %s",
  async (path) => {
    const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${FORM_TYPE}\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const chunk = `4001\r\n${"a".repeat(0x4001)}\r\n`;
    const answers = await send(head + chunk, (text) => statuses(text).length > 0);
    expect(statuses(answers)[0]).toBeGreaterThanOrEqual(400);
    expect(statuses(answers)[0]).toBeLessThan(500);
  },
);

test("accepts a form of the maximum size, with or without Content-Length", async () => {
  for (const isChunked of [true, false]) {
    const { token, status } = await launchToken();
    const body = `launchToken=${token}&padding=`.padEnd(16_384, "a");
    const framing = isChunked ? "Transfer-Encoding: chunked" : `Content-Length: ${body.length}`;
    const framed = isChunked ? `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n` : body;
    const head = `POST /api/connect/redeem HTTP/1.1\r\nHost: 127.0.0.1\r\n${FORM_TYPE}\r\nOrigin: ${ORIGIN}\r\n${CLOSE}\r\n${framing}\r\n\r\n`;
    expect(statuses(await send(head + framed))).toEqual([303]);
    expect(await status()).toBe("AUTHORIZING");
  }
});

/** Requests that two parsers could split differently: the smuggled request must not be handled. */
const HIDDEN = "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
test.each([
  ["a length and chunks", `Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n${HIDDEN}`],
  ["two lengths", `Content-Length: 0\r\nContent-Length: ${HIDDEN.length}\r\n\r\n${HIDDEN}`],
  ["a space before the colon", `Content-Length : ${HIDDEN.length}\r\n\r\n${HIDDEN}`],
  ["chunks that are not the last encoding", `Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${HIDDEN}`],
  ["a folded header", `X-Long: a\r\n b\r\n\r\n${HIDDEN}`],
  ["a signed length", `Content-Length: +0\r\n\r\n${HIDDEN}`],
  ["a chunk size with a sign", `Transfer-Encoding: chunked\r\n\r\n-1\r\n\r\n0\r\n\r\n${HIDDEN}`],
  ["bare line feeds", `X-Bare: a\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${HIDDEN}`],
])("an ambiguous request is rejected, and nothing after it is read: %s", async (_, rest) => {
  const answers = await send(`POST /graphql HTTP/1.1\r\nHost: 127.0.0.1\r\n${JSON_TYPE}\r\n${rest}`);
  expect(statuses(answers)).toEqual([400]);
});

test("pipelined requests are answered in order, each with its own headers", async () => {
  const tooLarge = "x".repeat(70_000);
  const answers = await send(
    request("POST /graphql", [bearer(), JSON_TYPE], READINESS) +
      request("POST /graphql", [JSON_TYPE], READINESS) +
      request("POST /graphql", [bearer(), JSON_TYPE], tooLarge) +
      request("POST /graphql", [bearer(), JSON_TYPE, CLOSE], READINESS),
  );
  expect(statuses(answers)).toEqual([200, 200, 413, 200]);
  const data = '"data":{"integ';
  const found = [...answers.matchAll(/UNAUTHENTICATED|"data":\{"integ/g)].map(([text]) => text);
  expect(found).toEqual([data, "UNAUTHENTICATED", data]);
});

test("a compressed body is not decompressed: the limit applies to the raw bytes, which are not JSON", async () => {
  const call = async (body: Buffer<ArrayBuffer>) => {
    const headers = { authorization: `Bearer ${application.key}`, "content-type": "application/json" };
    const encoded = { ...headers, "content-encoding": "gzip" };
    const response = await fetch(`${server.url}/graphql`, { method: "POST", headers: encoded, body });
    return [response.status, (await response.text()).includes("BAD_USER_INPUT")];
  };
  expect(await call(gzipSync(READINESS))).toEqual([400, true]);
  expect(await call(gzipSync(READINESS.padEnd(20_000_000, " ")))).toEqual([400, true]);
  expect(await call(Buffer.concat([gzipSync(READINESS)], 65_537))).toEqual([413, false]);
});

/** Two headers with a good and a wrong value, in both orders, and twice with the good one. */
const pairsOf = (good: string, wrong: string) => [
  [good, wrong],
  [wrong, good],
  [good, good],
];

test("two Authorization headers are invalid, in any order and even when equal", async () => {
  const [good, wrong] = [bearer(), `Authorization: Bearer ${newId()}.${newSecretHex()}`];
  for (const headers of pairsOf(good, wrong)) {
    const answers = await send(request("POST /graphql", [...headers, JSON_TYPE, CLOSE], READINESS));
    expect(answers).toContain("UNAUTHENTICATED");
  }
});

test("two Origin headers launch nothing, even if one of them is the application's", async () => {
  const { token, status } = await launchToken();
  for (const origins of pairsOf(`Origin: ${ORIGIN}`, "Origin: https://evil.example")) {
    const headers = [...origins, FORM_TYPE, CLOSE];
    expect(statuses(await send(request("POST /api/connect/redeem", headers, `launchToken=${token}`)))).toEqual([403]);
  }
  expect(await status()).toBe("CREATED");
});

test.each([
  ...["//graphql", "/graphql/", "/GRAPHQL", "/%67raphql", "/./graphql", "/x/../graphql", "/graphql;x", "/graphql%2f"],
  ...["/graphql%00", "/graphql#x", "//api/admin/graphql", "/api/admin/graphql/"],
  ...["/panel%2fgraphql", "/PANEL/graphql", "//api/connect/redeem", "/api/connect/redeem/"],
])("a path that only resembles one of the service's is not found: %s", async (path) => {
  expect(statuses(await send(request(`POST ${path}`, [bearer(), JSON_TYPE, CLOSE], READINESS)))).toEqual([404]);
});

test.each(["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "PATCH", "DELETE", "PROPFIND"])(
  "%s does nothing and echoes nothing",
  async (method) => {
    const redeem = "/api/connect/redeem";
    for (const path of ["/graphql", "/api/admin/graphql", "/panel/graphql", redeem]) {
      const answers = await send(request(`${method} ${path}`, ["Cookie: canary=1", bearer(), CLOSE]));
      const isRead = method === "HEAD" && path === redeem;
      expect(statuses(answers)).toEqual([isRead ? 204 : 405]);
      expect(answers.match(/^allow: .*$/gim)).toEqual(isRead ? null : ["allow: POST"]);
      expect(answers).not.toMatch(/canary|access-control/i);
      expect(answers).not.toContain(application.key);
    }
  },
);

test.each([
  ["/schema.graphql", "GET, HEAD"],
  ["/api/connect/consent", "GET, HEAD, POST"],
  ["/api/connect/callback/provider-a", "GET, HEAD"],
  ["/api/identity/callback", "GET, HEAD, POST"],
  ["/api/connect/deauthorize/provider-a", null],
  ["/api/connect/provider-a/webhook", null],
  ["/api/connect/callback/provider-z", null],
  ["/api/connect", null],
])("DELETE of %s is allowed nowhere, and the response names what is: %s", async (path, methods) => {
  const answers = await send(request(`DELETE ${path}`, [CLOSE]));
  expect(statuses(answers)).toEqual([methods === null ? 404 : 405]);
  expect(/^allow: (.*)\r$/im.exec(answers)?.[1] ?? null).toBe(methods);
});

test.each(["", "a b", "evil.example/..", "user@evil.example", "[::1", "127.0.0.1:99999"])(
  "an invalid Host is rejected without an internal error: %j",
  async (host) => {
    const line = "GET /api/connect/callback/provider-a?state=x HTTP/1.1";
    const answers = await send(`${line}\r\nHost: ${host}\r\n${CLOSE}\r\n\r\n`);
    expect(statuses(answers)).toEqual([400]);
    expect(answers).not.toContain("evil");
  },
);
