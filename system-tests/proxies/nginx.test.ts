import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import { Agent, request } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { eventually } from "../../packages/testkit/src/eventually.ts";
import { PROXIES, startAlone } from "./proxies.ts";

/** The file of `deploy/nginx` in front of two processes, of which a test sees the connections. */
const NGINX = PROXIES.find(({ debianPackage }) => debianPackage === "nginx");
const CALLBACK = "/api/connect/callback/provider-a?code=secret-code&state=secret-state";

async function startApi(sockets: Set<Socket>) {
  const server = createServer((message, response) => {
    sockets.add(message.socket);
    response.setHeader("strict-transport-security", "max-age=1").end("ok");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const stop = async () => {
    server.close();
    server.closeAllConnections();
  };
  onTestFinished(stop);
  return { port, stop };
}

describe.skipIf(NGINX?.isInstalled !== true)("nginx", () => {
  test("reuses no connection for callbacks, sets HSTS once, passes no probe on, and logs no query", async () => {
    const folder = await mkdtemp(join(tmpdir(), "social-connect-nginx-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const sockets = new Set<Socket>();
    const apis = [await startApi(sockets), await startApi(sockets)] as const;
    if (NGINX === undefined) throw new Error("there is no nginx");
    const proxy = await startAlone(NGINX, folder, [apis[0].port, apis[1].port]);
    onTestFinished(() => proxy.program.stop());
    const agent = new Agent({ rejectUnauthorized: false });
    const get = async (path: string) => {
      const options = { host: "127.0.0.1", port: proxy.port, servername: proxy.host, path, agent };
      const sent = request({
        ...options,
        headers: { host: proxy.host, referer: `https://x.example/${CALLBACK}` },
      }).end();
      const [response] = (await once(sent, "response")) as [IncomingMessage];
      response.resume();
      await once(response, "end");
      return response;
    };
    await eventually(async () => expect((await get("/schema.graphql")).statusCode).toBe(200));

    sockets.clear();
    for (let count = 0; count < 6; count++) await get("/schema.graphql");
    expect(sockets.size).toBeLessThanOrEqual(2);
    sockets.clear();
    for (let count = 0; count < 6; count++) expect((await get(CALLBACK)).statusCode).toBe(200);
    expect(sockets.size).toBe(6);
    for (const [path, status] of [
      ["/graphql", 200],
      [CALLBACK, 200],
      ["/readyz", 404],
      ["/healthz", 404],
    ] as const) {
      const { statusCode, headersDistinct } = await get(path);
      expect([path, statusCode, headersDistinct["strict-transport-security"]]).toEqual([
        path,
        status,
        ["max-age=31536000"],
      ]);
    }
    for (const api of apis) await api.stop();
    const { statusCode, headers } = await get(CALLBACK);
    expect([statusCode, headers["strict-transport-security"]]).toEqual([502, "max-age=31536000"]);

    const logs = async (name: string) => readFile(join(folder, name), "utf8").catch(() => "");
    await eventually(async () => expect(await logs("social-connect.access.log")).toContain("502"));
    const written = (
      await Promise.all(["social-connect.access.log", "social-connect.error.log", "error.log"].map(logs))
    ).join();
    expect(written).toContain("GET /api/connect/callback/provider-a");
    expect(written).not.toMatch(/secret-/);
  });
});
