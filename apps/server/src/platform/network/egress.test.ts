import { gzipSync } from "node:zlib";
import { type LocalServer, serve } from "@social-connect/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEgress, EgressError } from "./egress.ts";

let server: LocalServer;
let origin: string;

beforeAll(async () => {
  server = await serve((request, response) => {
    const path = new URL(request.url ?? "/", "http://x").pathname;
    if (path === "/redirect") return void response.writeHead(302, { location: "http://169.254.169.254/secrets" }).end();
    if (path === "/not-modified") return void response.writeHead(304).end();
    if (path === "/never") return;
    if (path === "/dribble") return void response.writeHead(200).write("{");
    if (path === "/cut") {
      response.writeHead(200, { "content-length": "100" }).write("{");
      return void setImmediate(() => response.destroy());
    }
    if (path === "/bomb") {
      return void response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(1_000_000)));
    }
    if (path === "/large") {
      for (let chunk = 0; chunk < 10; chunk += 1) response.write(Buffer.alloc(1_000, "a"));
      return void response.end();
    }
    if (path === "/empty") return void response.writeHead(204).end();
    response.writeHead(200, { "content-type": "application/json" }).end('{"fine":true}');
  });
  origin = server.url;
});
afterAll(() => server.close());

const egress = (options: { timeoutMs?: number; maxBytes?: number } = {}) =>
  createEgress({ allowedOrigins: [origin], ...options });

async function failureOf(promise: Promise<unknown>): Promise<EgressError> {
  return promise.then(
    () => expect.fail("the exchange succeeded"),
    (error: unknown) => (error instanceof EgressError ? error : expect.fail(`not an egress error: ${String(error)}`)),
  );
}

describe("egress", () => {
  it.each([
    ["EAI_AGAIN", "local", /name resolution/],
    ["ENETUNREACH", "local", /no route/],
    ["EMFILE", "local", /limits/],
    ["CERT_NOT_YET_VALID", "local", /clock/],
    ["SELF_SIGNED_CERT_IN_CHAIN", "local", /NODE_EXTRA_CA_CERTS/],
    ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "local", /NODE_EXTRA_CA_CERTS/],
    ["ECONNREFUSED", "network", /failed: ECONNREFUSED$/],
    ["CERT_HAS_EXPIRED", "network", /failed: CERT_HAS_EXPIRED$/],
    [
      "UND_ERR_ABORTED",
      "local",
      /proxy of this machine refuses the connection with 407/,
      "Proxy response (407) !== 200",
    ],
  ])("knows whether %s is a failure of this machine: %s", async (code, failure, message, text = "canary") => {
    const cause = Object.assign(new Error(text), { code });
    const fetch = () => Promise.reject(new TypeError("fetch failed", { cause }));
    const failed = await failureOf(createEgress({ allowedOrigins: [origin], fetch })(origin));
    expect(failed.failure).toBe(failure);
    expect(failed.message).toMatch(message);
    expect(failed.message).not.toContain("canary");
  });

  it("returns an allowed response unchanged", async () => {
    const response = await egress()(`${origin}/fine?page=2`);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ fine: true });
    expect((await egress()(`${origin}/empty`)).status).toBe(204);
  });

  it.each([
    ["another host", "https://example.com/"],
    ["another port", "http://127.0.0.1:1/"],
    ["another scheme", "https://127.0.0.1:4401/"],
    ["a cloud's metadata address", "http://169.254.169.254/latest/meta-data"],
    ["a file", "file:///etc/passwd"],
    ["a relative URL", "/fine"],
  ])("rejects %s", async (_name, address) => {
    expect((await failureOf(egress()(address))).failure).toBe("forbidden-destination");
  });

  it("rejects a URL with credentials, even on an allowed origin", async () => {
    const address = origin.replace("http://", "http://user:secret@");
    const error = await failureOf(egress()(address));
    expect(error.failure).toBe("forbidden-destination");
    expect(error.message).not.toContain("secret");
  });

  it.each(["/redirect", "/not-modified"])("does not follow a redirect: %s", async (path) => {
    expect((await failureOf(egress()(origin + path))).failure).toBe("redirect");
    expect((await failureOf(egress()(origin + path, { redirect: "follow" }))).failure).toBe("redirect");
  });

  it.each(["/never", "/dribble"])("ends a request at its deadline, body included: %s", async (path) => {
    expect((await failureOf(egress({ timeoutMs: 50 })(origin + path))).failure).toBe("timeout");
  });

  it("distinguishes the caller's abort from the deadline", async () => {
    const error = await failureOf(egress()(`${origin}/never`, { signal: AbortSignal.timeout(20) }));
    expect(error.failure).toBe("aborted");
  });

  it("stops at the size limit, counted after decompression", async () => {
    expect((await failureOf(egress({ maxBytes: 9_999 })(`${origin}/large`))).failure).toBe("too-large");
    expect((await failureOf(egress({ maxBytes: 100_000 })(`${origin}/bomb`))).failure).toBe("too-large");
    // Control: the same bodies pass a larger limit.
    expect((await (await egress({ maxBytes: 10_000 })(`${origin}/large`)).text()).length).toBe(10_000);
    expect((await (await egress({ maxBytes: 1_000_000 })(`${origin}/bomb`)).arrayBuffer()).byteLength).toBe(1_000_000);
  });

  it("reports a truncated body", async () => {
    expect((await failureOf(egress()(`${origin}/cut`))).failure).toBe("network");
  });

  it("has only the origin in its errors, never a path or a query", async () => {
    const error = await failureOf(egress({ timeoutMs: 50 })(`${origin}/never?access_token=canary`));
    expect(`${error.message} ${error.stack}`).not.toContain("canary");
    expect(error.message).toContain(origin);
    expect(error.cause).toBeUndefined();
  });

  it("accepts plain http only for loopback hosts", () => {
    expect(() => createEgress({ allowedOrigins: ["http://example.com"] })).toThrow(TypeError);
    expect(() => createEgress({ allowedOrigins: ["http://10.0.0.1:80"] })).toThrow(TypeError);
    expect(() => createEgress({ allowedOrigins: ["ftp://example.com"] })).toThrow(TypeError);
    for (const fine of ["http://localhost:1", "http://127.0.0.1:1", "http://[::1]:1", "https://example.com/path"]) {
      expect(() => createEgress({ allowedOrigins: [fine] })).not.toThrow();
    }
  });
});
