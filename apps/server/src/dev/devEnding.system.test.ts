import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { runStatement } from "@social-connect/testkit";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { DevFile } from "../../../../packages/testkit/src/harness/devFile.ts";
import { call, type DevPlace, makeDevPlace } from "../../../../packages/testkit/src/harness/devPlace.ts";
import { isPortFree } from "../platform/network/ports.ts";
import { identifyProcess } from "../platform/process/processIdentity.ts";
import { planPorts } from "./ports.ts";

let place: DevPlace;

beforeEach(async () => {
  place = await makeDevPlace();
});

afterEach(() => place[Symbol.asyncDispose]());

test("when the supervisor is killed, its processes exit, and the next start uses the data again; SIGTERM stops everything, including the database, and removes dev.json", async () => {
  const first = await place.start();
  const seeded = await registeredAddresses(first.dev);
  const moved = `update provider_registration set addresses = '{"api":"http://127.0.0.1:9/provider"}'`;
  await runStatement(first.dev.databaseUrl, moved);
  first.supervisor.kill("SIGKILL");
  await once(first.supervisor, "exit");
  const second = await place.start();
  expect(second.dev.consumer).toEqual(first.dev.consumer);
  expect(second.dev.otherApplication).toEqual(first.dev.otherApplication);
  expect(second.dev.databaseUrl).toBe(first.dev.databaseUrl);
  expect(await registeredAddresses(second.dev)).toEqual(seeded);
  for (const role of ["api", "simulator", "example", "database"] as const) {
    expect(await identifyProcess(first.dev.processes[role] as number)).toBeNull();
  }
  expect(await call(second.dev, first.dev.consumer.key, "{ status { ok } }")).toEqual({
    data: { status: { ok: true } },
  });

  const { supervisor, dev } = second;
  supervisor.kill("SIGTERM");
  // A runner that is stopped often signals its process group as well, so the signal arrives twice.
  supervisor.kill("SIGINT");
  const [exitCode] = await once(supervisor, "exit");
  expect(exitCode).toBe(0);
  for (const pid of Object.values(dev.processes)) expect(await identifyProcess(pid as number)).toBeNull();
  for (const port of Object.values(planPorts(place.firstPort))) expect(await isPortFree(port)).toBe(true);
  const left = await readdir(place.dataFolder);
  expect(left).not.toContain("dev.json");
  expect(left).not.toContain("lock");
});

/** The API origins of the registrations by provider; every URL of the seed is at the provider's own origin. */
async function registeredAddresses(dev: DevFile): Promise<unknown> {
  const statement = "select provider, addresses from provider_registration order by provider";
  const rows = await runStatement(dev.databaseUrl, statement);
  const origins = rows.map(({ addresses }) => [
    ...new Set(Object.values<string>(addresses).map((address) => new URL(address).origin)),
  ]);
  expect(origins).toEqual(Object.values(dev.providerUrls).map((origin) => [origin]));
  return rows;
}
