import { eventually } from "@social-connect/testkit";
import { expect, test } from "vitest";
import { service, useService } from "../modules/testing/fixtures.ts";
import { startTestServer, testLanes } from "./testing/testServer.ts";

useService();

/** Two responses immediately, then one each 20 ms. Each takes far more than the process needs for it on a busy machine. */
const LIMITS = { msPerSecond: 50_000_000, burstMs: 2_000_000, leastMs: 1_000_000 };

test("unknown pages of a network are sent at a limited rate, and delay neither its Connect pages nor other networks", async () => {
  const trusting = { ...service, trustedProxies: ["127.0.0.1"] };
  const lanes = testLanes(trusting, undefined, LIMITS);
  const server = await startTestServer(trusting, lanes);
  const ask = (path: string, from: string) => fetch(server.url + path, { headers: { "x-forwarded-for": from } });
  let answers = 0;
  const all = Array.from({ length: 6 }, (_, index) =>
    // One network of IPv6.
    ask("/unknown", `2001:db8::${index}`).then(() => (answers += 1)),
  );
  await eventually(async () => expect([answers, lanes.admission.waiting]).toEqual([2, 4]));
  expect((await ask("/schema.graphql", "2001:db8::1")).status).toBe(200);
  expect((await ask("/unknown", "2001:db8:0:1::1")).status).toBe(404);
  expect((await ask("/unknown", "192.0.2.1")).status).toBe(404);
  // The probes have no limit.
  for (let probe = 0; probe < 5; probe += 1) expect((await ask("/readyz", "2001:db8::1")).status).toBe(200);
  expect(lanes.admission.waiting).toBe(4);
  service.clock.advance(20);
  await eventually(async () => expect(answers).toBe(3));
  for (let sent = 4; sent <= 6; sent += 1) {
    service.clock.advance(20);
    await eventually(async () => expect(answers).toBe(sent));
  }
  await Promise.all(all);
  await server.close();
});

test("a page that looks for an attempt counts more than another page of the same network", async () => {
  const network = { pages: LIMITS, databaseRequests: { ...LIMITS, leastMs: LIMITS.burstMs } };
  const lanes = testLanes(service, undefined, undefined, undefined, network);
  const server = await startTestServer(service, lanes);
  const answered = new Map<string, number>();
  const visit = (path: string) => Array.from({ length: 3 }, () => fetch(server.url + path).then(() => count(path, 1)));
  const count = (path: string, more: number) => answered.set(path, (answered.get(path) ?? 0) + more);
  const [callback, schema] = ["/api/connect/callback/provider-a?state=unknown&code=x", "/schema.graphql"];
  const all = [...visit(callback), ...visit(schema)];
  await eventually(async () => expect(lanes.admission.waiting).toBe(3));
  await eventually(async () => expect(Object.fromEntries(answered)).toEqual({ [callback]: 1, [schema]: 2 }));
  for (let tick = 0; tick < 4; tick += 1) {
    service.clock.advance(20);
    await eventually(async () => expect(lanes.admission.inProgress).toBe(0));
  }
  await Promise.all(all);
  await server.close();
});
