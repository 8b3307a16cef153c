import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isPortFree } from "../platform/ports.ts";
import { identifyProcess } from "../platform/processIdentity.ts";
import { planPorts } from "./ports.ts";
import { call, DevPlace } from "./testing/devPlace.ts";

let place: DevPlace;

beforeEach(async () => {
  place = await DevPlace.make();
});

afterEach(() => place.clear());

test("when the supervisor is killed, its processes end, and the next start takes the data over", async () => {
  const first = await place.start();
  first.supervisor.kill("SIGKILL");
  await once(first.supervisor, "exit");
  const second = await place.start();
  expect(second.dev.consumer).toEqual(first.dev.consumer);
  expect(second.dev.otherApplication).toEqual(first.dev.otherApplication);
  expect(second.dev.databaseUrl).toBe(first.dev.databaseUrl);
  for (const role of ["api", "simulator", "example", "database"] as const) {
    expect(await identifyProcess(first.dev.processes[role] as number)).toBeNull();
  }
  expect(await call(second.dev, first.dev.consumer.key, "{ status { ok } }")).toEqual({
    data: { status: { ok: true } },
  });
});

test("SIGTERM ends all of it, the database included, and takes dev.json away", async () => {
  const { supervisor, dev } = await place.start();
  supervisor.kill("SIGTERM");
  // A runner that is stopped often tells its group as well, so the same wish comes again at once.
  supervisor.kill("SIGINT");
  const [exitCode] = await once(supervisor, "exit");
  expect(exitCode).toBe(0);
  for (const pid of Object.values(dev.processes)) expect(await identifyProcess(pid as number)).toBeNull();
  for (const port of Object.values(planPorts(place.firstPort))) expect(await isPortFree(port)).toBe(true);
  const left = await readdir(place.dataFolder);
  expect(left).not.toContain("dev.json");
  expect(left).not.toContain("lock");
});
