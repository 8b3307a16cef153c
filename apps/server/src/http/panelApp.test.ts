import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { type RawRequest, rawRequest } from "@social-connect/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { service, useService } from "../modules/testing/fixtures.ts";
import { accepts } from "./panelBuild.ts";
import { type AdminServer, startAdminServer } from "./testing/adminServer.ts";

useService();

const INDEX =
  '<!doctype html><meta property="csp-nonce" nonce="__CSP_NONCE__"><meta name="service-mode" content="__SERVICE_MODE__"><style nonce="__CSP_NONCE__"></style><script type="module" src="/panel/assets/main-1a2b.js"></script>';
const SCRIPT = "console.log('the panel');".repeat(50);
let server: AdminServer;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "social-connect-panel-"));
  const build = join(folder, "dist");
  await mkdir(join(build, "assets"), { recursive: true });
  await Promise.all([
    writeFile(join(folder, "outside.txt"), "not of the panel"),
    writeFile(join(build, "index.html"), INDEX),
    writeFile(join(build, "icon.svg"), "<svg xmlns='http://www.w3.org/2000/svg'/>"),
    writeFile(join(build, "assets", "main-1a2b.js"), SCRIPT),
    writeFile(join(build, "assets", "main-1a2b.js.br"), brotliCompressSync(SCRIPT)),
    writeFile(join(build, "assets", "main-1a2b.js.gz"), gzipSync(SCRIPT)),
    writeFile(join(build, "assets", "main-1a2b.css"), "body {}"),
  ]);
  server = await startAdminServer(service, {}, build);
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const raw = (path: string, options: RawRequest = {}) => rawRequest(server.url, { path, ...options });

describe("a page of the panel", () => {
  test.each(["/panel", "/panel/", "/panel/clients", "/panel/clients/1/origins?tab=x.js", "/panel/audit/e.1/x"])(
    "is index.html at %s",
    async (path) => {
      const { status, headers, body } = await raw(path);
      expect(status).toBe(200);
      expect(headers["content-type"]).toMatch(/^text\/html/);
      expect(headers["cache-control"]).toBe("no-store");
      expect(body.toString()).toContain('src="/panel/assets/main-1a2b.js"');
    },
  );

  test("says the mode of the service, for the sign-in page", async () => {
    expect((await raw("/panel")).body.toString()).toContain('<meta name="service-mode" content="sandbox">');
  });

  test("contains nothing of its cookie's session, and needs no database", async () => {
    const prisma = { adminSession: { findUnique: () => Promise.reject(new Error("no database")) } };
    const failing = { ...service, prisma: prisma as unknown as typeof service.prisma };
    const other = await startAdminServer(failing, {}, join(folder, "dist"));
    const headers = { cookie: `social-connect-panel=${"0".repeat(64)}` };
    const { status, body } = await rawRequest(other.url, { path: "/panel", headers });
    await other.close();
    const nonce = /nonce="([^"]*)"/.exec(body.toString())?.[1] ?? "";
    const expected = INDEX.replaceAll("__CSP_NONCE__", nonce).replaceAll("__SERVICE_MODE__", "sandbox");
    expect([status, body.toString()]).toEqual([200, expected]);
  });

  test("has a strict policy with a new nonce each time", async () => {
    const nonces = new Set<string>();
    for (let round = 0; round < 3; round++) {
      const { headers, body } = await raw("/panel/clients");
      const policy = String(headers["content-security-policy"]);
      const nonce = /'nonce-([A-Za-z0-9+/=]{22,})'/.exec(policy)?.[1] ?? "";
      nonces.add(nonce);
      expect(body.toString().match(/nonce="([^"]*)"/g)).toEqual([`nonce="${nonce}"`, `nonce="${nonce}"`]);
      expect(Object.fromEntries(policy.split("; ").map((directive) => directive.split(/ (.*)/s)))).toMatchObject({
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": `'self' 'nonce-${nonce}'`,
        "connect-src": "'self'",
        "img-src": "'self' data:",
        "base-uri": "'none'",
        "form-action": "'self'",
        "frame-src": "'self'",
        "frame-ancestors": "'none'",
      });
      expect(headers).toMatchObject({
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "cross-origin-opener-policy": "same-origin",
      });
    }
    expect(nonces.size).toBe(3);
  });

  test("has no body on HEAD", async () => {
    const { status, headers, body } = await raw("/panel/clients", { method: "HEAD" });
    expect([status, headers["cache-control"], body.length]).toEqual([200, "no-store", 0]);
  });

  test("leaves the panel's other routes unchanged", async () => {
    expect((await raw("/panel/session")).status).toBe(401);
    expect((await raw("/panel/graphql")).status).toBe(405);
    // Sign-in is not configured.
    expect((await raw("/panel/sign-in")).status).toBe(503);
    expect((await raw("/panel/clients", { method: "POST" })).status).toBe(405);
    expect((await raw("/panelx")).status).toBe(404);
  });

  test("is rejected where the panel may not be reached", async () => {
    const answer = await raw("/panel", { headers: { host: "other.example" } });
    expect([answer.status, answer.body.toString().includes("main-1a2b")]).toEqual([403, false]);
    expect((await raw("/panel/assets/main-1a2b.js", { headers: { host: "other.example" } })).status).toBe(403);
  });
});

describe("a file of the panel", () => {
  test("is cached permanently when its name contains a hash, and revalidated otherwise", async () => {
    const script = await raw("/panel/assets/main-1a2b.js");
    expect(script).toMatchObject({
      status: 200,
      headers: {
        "cache-control": "public, max-age=31536000, immutable",
        "content-type": expect.stringMatching(/^text\/javascript/),
        "x-content-type-options": "nosniff",
      },
    });
    expect(script.body.toString()).toBe(SCRIPT);
    const icon = await raw("/panel/icon.svg");
    expect(icon).toMatchObject({
      status: 200,
      headers: { "cache-control": "no-cache", "content-type": expect.stringMatching(/^image\/svg\+xml/) },
    });
  });

  test("is compressed with the caller's preferred encoding", async () => {
    const get = (acceptEncoding: string) =>
      raw("/panel/assets/main-1a2b.js", { headers: { "accept-encoding": acceptEncoding } });
    const [best, gzip, plain] = [await get("gzip, deflate, br, zstd"), await get("gzip"), await get("identity")];
    expect([best, gzip, plain].map(({ headers }) => headers["content-encoding"])).toEqual(["br", "gzip", undefined]);
    expect(brotliDecompressSync(best.body).toString()).toBe(SCRIPT);
    expect(gunzipSync(gzip.body).toString()).toBe(SCRIPT);
    for (const { headers, body } of [best, gzip, plain]) expect(headers["content-length"]).toBe(String(body.length));
    expect(best.headers["vary"]).toMatch(/accept-encoding/i);
    // A file without a compressed copy is sent uncompressed.
    const style = await raw("/panel/assets/main-1a2b.css", { headers: { "accept-encoding": "br" } });
    expect([style.headers["content-encoding"], style.body.toString()]).toEqual([undefined, "body {}"]);
  });

  test("has the same headers on HEAD and on GET", async () => {
    const { status, headers, body } = await raw("/panel/assets/main-1a2b.js", { method: "HEAD" });
    expect([status, headers["content-length"], body.length]).toEqual([200, String(SCRIPT.length), 0]);
  });

  test.each([
    "/panel/assets/main-0000.js",
    "/panel/assets/",
    "/panel/assets",
    "/panel/assets/clients",
    "/panel/missing.js",
    "/panel/index.html",
    "/panel/../outside.txt",
    "/panel/assets/../../outside.txt",
    "/panel/%2e%2e/outside.txt",
    "/panel/..%2foutside.txt",
    "/panel/..%5coutside.txt",
    "/panel//outside.txt",
    "/panel/assets/%00.js",
    "/panel/assets/main-1a2b.js/x.js",
    "/panel/.%2e/.%2e/.%2e/etc/passwd.txt",
  ])("is not found at %s", async (path) => {
    const { status, body } = await raw(path);
    expect(status).toBe(404);
    expect(body.toString()).not.toContain("not of the panel");
  });
});

test("an encoding is used only if the caller accepts it", () => {
  const taken = ["br", "gzip, BR", "*", "br;q=0.1", "gzip;q=1.0, br ; q=0.5"];
  const refused = ["", "gzip", "br;q=0", "*;q=0", "br;q=0, *", "brotli", "br;q=x"];
  expect(taken.filter((text) => !accepts(text, "br"))).toEqual([]);
  expect(refused.filter((text) => accepts(text, "br"))).toEqual([]);
});

test("an unbuilt panel shows instructions and is served once its build exists", async () => {
  const late = join(folder, "late");
  const other = await startAdminServer(service, {}, late);
  try {
    const before = await fetch(`${other.url}/panel/clients`);
    expect([before.status, await before.text()]).toEqual([503, expect.stringContaining("panel build")]);
    expect((await fetch(`${other.url}/panel/assets/main.js`)).status).toBe(404);
    await mkdir(join(late, "assets"), { recursive: true });
    await writeFile(join(late, "assets", "main.js"), "1");
    await writeFile(join(late, "index.html"), "first");
    expect(await (await fetch(`${other.url}/panel`)).text()).toBe("first");
    expect((await fetch(`${other.url}/panel/assets/main.js`)).status).toBe(200);
    await writeFile(join(late, "assets", "next.js"), "2");
    await writeFile(join(late, "index.html"), "second");
    // Two writes within one tick of the file system's clock would have the same timestamp.
    await utimes(join(late, "index.html"), new Date(), new Date(Date.now() + 5_000));
    expect((await fetch(`${other.url}/panel/assets/next.js`)).status).toBe(200);
    expect(await (await fetch(`${other.url}/panel`)).text()).toBe("second");
  } finally {
    await other.close();
  }
});
