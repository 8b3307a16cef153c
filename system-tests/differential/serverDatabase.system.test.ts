import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openAccounts } from "../actors/accounts.ts";
import { linkAccount } from "../actors/person.ts";
import { type Deployment, startDeployment } from "../deployment/deployment.ts";
import { quiesce } from "./serverDatabase.ts";

const HOUR = 3_600_000;
const ACCOUNT = { provider: "PROVIDER_A", name: "planned" } as const;

let deployment: Deployment;

beforeAll(async () => {
  // Without a worker, all tasks wait.
  deployment = await startDeployment({ roles: ["api"], settings: { CLOCK: "movable" } });
  await deployment.clock.advance(30 * 24 * HOUR);
  const application = await deployment.operator.createApplication();
  await openAccounts(deployment, [application], [ACCOUNT]);
  await linkAccount(deployment, application, ACCOUNT);
});
afterAll(() => deployment?.[Symbol.asyncDispose]());
beforeEach(async () => {
  await deployment.database.query("DELETE FROM pgboss.job");
  expect(await planReads(null, null)).toBe(1);
});

test("has nothing to wait for without tasks and planned reads", async () => {
  expect(await quiesce(deployment)).toBeNull();
});

test("waits until the earlier of two planned reads", async () => {
  await planReads(3 * HOUR, 2 * HOUR);
  expectAbout(await quiesce(deployment), 2 * HOUR);
});

test("a background read that fell due while others ran is due now, although another is planned", async () => {
  await planReads(-HOUR, 2 * HOUR);
  expect(await quiesce(deployment)).toBe(0);
});

test("waits for a delayed task in the service's time", async () => {
  await deployment.database.query(
    `INSERT INTO pgboss.job (name, start_after) SELECT name, now() + interval '3 hours' FROM pgboss.queue
      WHERE name = 'read.provider-a'`,
  );
  await deployment.clock.advance(2 * HOUR);
  await deployment.database.query("DELETE FROM pgboss.job WHERE name LIKE 'sweep.%'");
  expectAbout(await quiesce(deployment), HOUR);
});

test("an attempt that passed its deadline without a call is due now", async () => {
  const { database: pool } = deployment;
  await pool.query("UPDATE connect_attempt SET status = 'CREATED', connection_id = NULL, expires_at = now()");
  expect(await quiesce(deployment)).toBe(0);
  await pool.query("DELETE FROM connect_attempt");
});

/** Gives the number of connections. */
async function planReads(scanInMs: number | null, profileInMs: number | null): Promise<number | null> {
  const nowMs = (await deployment.clock.now()).getTime();
  const at = (ms: number | null) => (ms === null ? null : new Date(nowMs + ms));
  const plan = "UPDATE connection SET next_scan_at = $1, next_profile_at = $2";
  return (await deployment.database.query(plan, [at(scanInMs), at(profileInMs)])).rowCount;
}

/** Time passes between planning and reading. */
function expectAbout(ms: number | null, expected: number): void {
  expect(ms).toBeLessThanOrEqual(expected);
  expect(ms).toBeGreaterThan(expected - HOUR / 4);
}
