import { reservePort } from "@social-connect/testkit";
import { expect, onTestFinished, test } from "vitest";
import { type Operations, serveOperations } from "./operations.ts";

async function start(operations: Operations): Promise<string> {
  const listener = await serveOperations(operations, "127.0.0.1", await reservePort());
  onTestFinished(() => listener.close(0));
  return listener.address;
}

test("liveness does not depend on readiness", async () => {
  let isReady = false;
  const address = await start({ metrics: async () => "", isReady: async () => isReady });
  const status = async (path: string) => (await fetch(address + path)).status;
  expect([await status("/livez"), await status("/readyz")]).toEqual([200, 503]);
  isReady = true;
  expect([await status("/livez"), await status("/readyz")]).toEqual([200, 200]);
});

test("serves metrics as Prometheus' text, nothing else, and nothing is changed there", async () => {
  const address = await start({ metrics: async () => "one 1\n", isReady: async () => true });
  const metrics = await fetch(`${address}/metrics`);
  expect(metrics.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  expect(await metrics.text()).toBe("one 1\n");
  expect((await fetch(`${address}/panel`)).status).toBe(404);
  const posted = await fetch(`${address}/metrics`, { method: "POST" });
  expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
});

test("metrics that cannot be read are an error of the scrape without details", async () => {
  const address = await start({ metrics: () => Promise.reject(new Error("canary")), isReady: async () => true });
  const response = await fetch(`${address}/metrics`);
  expect(response.status).toBe(500);
  expect(await response.text()).not.toContain("canary");
});

test("a refused address is reported with the settings of this port", async () => {
  const idle = { metrics: async () => "", isReady: async () => true };
  const port = Number(new URL(await start(idle)).port);
  await expect(serveOperations(idle, "127.0.0.1", port)).rejects.toThrow(
    `port ${port} is in use; stop the program that uses it, or set METRICS_PORT to another`,
  );
  await expect(serveOperations(idle, "192.0.2.1", port)).rejects.toThrow(
    "the address is not one of this machine; correct METRICS_HOST or METRICS_PORT",
  );
});
