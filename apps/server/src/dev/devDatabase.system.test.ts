import { afterEach, beforeEach, expect, test } from "vitest";
import {
  call,
  type DevPlace,
  makeDevPlace,
  type RunningDev,
} from "../../../../packages/testkit/src/harness/devPlace.ts";
import { MOST_RESTARTS } from "./processes/databaseSupervisor.ts";

const RESTARTED = "[dev] The embedded database stopped unexpectedly; dev is restarting it with its data.\n";

let place: DevPlace;
let running: RunningDev;

beforeEach(async () => {
  place = await makeDevPlace();
  running = await place.start();
});

afterEach(() => place[Symbol.asyncDispose]());

/** Kills PostgreSQL as the system does when memory is short, and waits until it runs again. */
async function killDatabase(): Promise<void> {
  const killed = (await place.devFile())?.processes.database as number;
  process.kill(killed, "SIGKILL");
  await expect.poll(async () => (await place.devFile())?.processes.database ?? killed).not.toBe(killed);
}

async function askAdmin(query: string, key = running.dev.admin.readKey): Promise<unknown> {
  const response = await fetch(`${running.dev.admin.host}/api/admin/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
    body: JSON.stringify({ query }),
  });
  return response.json();
}

test("a killed embedded database is restarted with its data, dev reports it, and calls succeed again; dev stops with a message when the database ends repeatedly", async () => {
  const { dev, output } = running;
  const ids = (await askAdmin("{ adminClients { items { id } } }")) as {
    readonly data: { readonly adminClients: { readonly items: readonly [{ readonly id: string }] } };
  };
  const [{ id }] = ids.data.adminClients.items;
  const change = `mutation { setClientDisplayName(id: "${id}", displayName: "Kept Studio") { displayName } }`;
  const changed = { data: { setClientDisplayName: { displayName: "Kept Studio" } } };
  expect(await askAdmin(change, dev.admin.writeKey)).toEqual(changed);

  await killDatabase();

  const stored = () => askAdmin(`{ adminClient(id: "${id}") { displayName } }`).catch(() => null);
  await expect.poll(stored).toEqual({ data: { adminClient: { displayName: "Kept Studio" } } });
  const available = () => call(dev, dev.consumer.key, "{ integrationReadiness { idpIdentityAvailable } }");
  const answer = { data: { integrationReadiness: { idpIdentityAvailable: true } } };
  await expect.poll(() => available().catch(() => null)).toEqual(answer);
  expect(output().split(RESTARTED)).toHaveLength(2);
  // The processes reconnect without a restart.
  const { api, worker } = (await place.devFile())?.processes ?? {};
  expect({ api, worker }).toEqual({ api: dev.processes.api, worker: dev.processes.worker });

  for (let count = 1; count < MOST_RESTARTS; count++) await killDatabase();
  process.kill((await place.devFile())?.processes.database as number, "SIGKILL");
  const { exitCode, stderr } = await running.ended;
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/^social-connect: the embedded database ended unexpectedly 4 times within 5 minutes; .*$/m);
  expect(output().split(RESTARTED)).toHaveLength(MOST_RESTARTS + 1);
  expect(await place.devFile()).toBeNull();
});
