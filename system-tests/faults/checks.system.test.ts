import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { giveConsent } from "../../apps/simulator/src/index.ts";
import { SCOPE_A_READ } from "../../apps/simulator/src/providers/provider-a/scopes.ts";
import { eventually } from "../../packages/testkit/src/index.ts";
import { control } from "../../packages/testkit/src/simulatorControl.ts";
import { findGrants } from "../facts/facts.ts";
import { checkAll, checkNextDay } from "./check/checkAll.ts";
import { type Cluster, startCluster } from "./cluster.ts";
import { type Journal, openJournal } from "./journal.ts";
import { type Connection, Known } from "./known.ts";
import type { Journey, Round } from "./plan.ts";
import { prepareRun, type Run } from "./run/run.ts";

const known = new Known();
let folder: string;
let journal: Journal;
let cluster: Cluster;
let run: Run;
/** Connected at PROVIDER_A, read, and disconnected; and an existing connection at PROVIDER_B. */
let erased: Connection;
let standing: Connection;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "social-connect-checks-"));
  journal = openJournal(join(folder, "faults.ndjson"));
  cluster = await startCluster(folder, known, journal);
  const options = { seed: "checks", rounds: 1, minutes: 5, journal, say: () => undefined };
  run = prepareRun(options, cluster);
  const journey = { application: "demo", script: null, of: null } as const;
  const journeys: Journey[] = [
    { ...journey, id: "0000-00", kind: "link", provider: "PROVIDER_A", steps: ["scan", "disconnect"] },
    { ...journey, id: "0000-01", kind: "link", provider: "PROVIDER_B", steps: ["scan"] },
    { ...journey, id: "0000-02", kind: "admin", provider: "PROVIDER_A", steps: [] },
  ];
  const round: Round = { number: 0, lengthMs: 0, advanceMs: 0, faults: [], providerFaults: [], journeys };
  await run.open([round]);
  await run.round(round);
  await run.calmDown();
  const connections = [...known.connections.values()];
  erased = connections.find(({ receipts }) => receipts !== null) as Connection;
  standing = connections.find(({ receipts }) => receipts === null) as Connection;
});
afterAll(async () => {
  await cluster?.stop();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => run.violations.splice(0));

/** The rules that the checks find broken. */
async function broken(check: typeof checkAll = checkAll): Promise<string[]> {
  await check(run.context);
  return [...new Set(run.violations.splice(0).map(({ rule }) => rule))];
}

/** Changes rows, runs the checks, and restores the rows. */
async function brokenAfter(change: string, undo: string, check: typeof checkAll = checkAll): Promise<string[]> {
  await cluster.deployment.database.query(change);
  try {
    return await broken(check);
  } finally {
    await cluster.deployment.database.query(undo);
    await cluster.deployment.database.query("DELETE FROM probe.violation");
  }
}

/** Statements that take rows away, and bring them back. */
function missing(table: string, where: string): readonly [string, string] {
  return [
    `CREATE TABLE probe.aside AS SELECT * FROM ${table} WHERE ${where}; DELETE FROM ${table} WHERE ${where}`,
    `INSERT INTO ${table} SELECT * FROM probe.aside; DROP TABLE probe.aside`,
  ];
}

test("finds nothing where nothing is wrong", async () => {
  expect(erased).toMatchObject({ provider: "PROVIDER_A" });
  expect(standing).toMatchObject({ provider: "PROVIDER_B" });
  expect(known.adminWrites.map(({ answer }) => answer)).toContain("acknowledged");
  expect(known.jobs.size).toBeGreaterThan(0);
  expect(await broken()).toEqual([]);
});

test("finds an acknowledged session that is lost, or differs from what the browser received", async () => {
  const where = `connection_id = '${standing.id}'`;
  expect(await brokenAfter(...missing("connect_attempt", where))).toEqual(["an acknowledged session has a result"]);
  const change = (status: string) => `UPDATE connect_attempt SET status = '${status}' WHERE ${where}`;
  const rules = await brokenAfter(change("FAILED"), change("COMPLETED"));
  expect(rules).toEqual(expect.arrayContaining(["the browser received the result", "attempt moved"]));
});

test("finds a lost connection, and a connection that cannot settle", async () => {
  const [take, restore] = missing("connection", `id = '${standing.id}'`);
  const [takeGrant, restoreGrant] = missing("provider_grant", `connection_id = '${standing.id}'`);
  const asideGrant = (statement: string) => statement.replaceAll("probe.aside", "probe.aside_grant");
  const [takePosts, restorePosts] = missing("content_item", `connection_id = '${standing.id}'`);
  const asidePosts = (statement: string) => statement.replaceAll("probe.aside", "probe.aside_posts");
  expect(
    await brokenAfter(
      [asideGrant(takeGrant), asidePosts(takePosts), take].join(";"),
      [restore, asideGrant(restoreGrant), asidePosts(restorePosts)].join(";"),
    ),
  ).toContain("a connection exists until it is disconnected");
  const suspend = `UPDATE connection SET status = 'SUSPENDED' WHERE id = '${standing.id}'`;
  const resume = `UPDATE connection SET status = 'CONNECTED' WHERE id = '${standing.id}'`;
  expect(await brokenAfter(suspend, resume)).toEqual(["a connection settles"]);
});

test("finds an acknowledged job that is lost or does not end, and waits for none that is stuck", async () => {
  const { id } = [...known.jobs.values()].find(({ connectionId }) => connectionId === standing.id) ?? { id: "" };
  expect(await brokenAfter(...missing("job", `id = '${id}'`))).toEqual(["an acknowledged job can be read"]);
  const { database } = cluster.deployment;
  // Scheduled for later, so that no worker takes it during the check.
  await database.query(
    `UPDATE job SET status = 'QUEUED', next_retry_at = now() + interval '9 days' WHERE id = '${id}'`,
  );
  expect(await cluster.settle(0)).toContain(id);
  const undo = `UPDATE job SET status = 'SUCCEEDED', next_retry_at = NULL WHERE id = '${id}'`;
  expect(await brokenAfter("SELECT 1", undo)).toEqual(["a job ends", "finished job changed"]);
  await cluster.settle();
});

test("finds a missing, a wrong, and a duplicate receipt", async () => {
  const { eraseJobId, revokeJobId } = erased.receipts ?? { eraseJobId: "", revokeJobId: "" };
  const receipts = "a disconnect has one revoke and one erase receipt";
  expect(await brokenAfter(...missing("job", `id = '${eraseJobId}'`))).toEqual([receipts]);
  const fail = `UPDATE job SET status = 'FAILED', error_code = 'REVOKE_REJECTED', creator_action = 'REMOVE_APP_AT_PROVIDER' WHERE id = '${revokeJobId}'`;
  const succeed = `UPDATE job SET status = 'SUCCEEDED', error_code = NULL, creator_action = NULL WHERE id = '${revokeJobId}'`;
  expect(await brokenAfter(fail, succeed)).toEqual(["a revoke ends as it can", "finished job changed"]);
  const second = randomUUID();
  const copy = `CREATE TABLE probe.aside AS SELECT * FROM job WHERE id = '${eraseJobId}';
    UPDATE probe.aside SET id = '${second}'; INSERT INTO job SELECT * FROM probe.aside; DROP TABLE probe.aside`;
  const rules = await brokenAfter(copy, `DELETE FROM job WHERE id = '${second}'`);
  expect(rules).toEqual([receipts, "second receipt"]);
});

test("finds a trace of an erased account in any schema, and a plaintext token", async () => {
  const trace = "no trace of an erased account";
  const insert = (text: string) =>
    `INSERT INTO pgboss.job (id, name, data, state) SELECT gen_random_uuid(), name, '{"kept":"${text}"}', 'completed'
       FROM pgboss.queue WHERE name = 'read.provider-a'`;
  const remove = "DELETE FROM pgboss.job WHERE data ? 'kept'";
  const { accountId } = known.accounts.get(erased.account) ?? { accountId: "" };
  expect(await brokenAfter(insert(accountId), remove)).toEqual([trace]);
  const { posts } = await control<{ posts: { id: string; title: string }[] }>(
    cluster.deployment.simulatorUrl,
    "GET",
    `/accounts/provider-a/${erased.account}/posts`,
  );
  for (const text of [posts[0]?.id ?? "", posts[0]?.title ?? ""]) {
    expect(await brokenAfter(insert(text), remove)).toEqual([trace]);
  }
  expect(await brokenAfter(insert(`act.${"x".repeat(40)}`), remove)).toEqual(["no token is stored in clear"]);
});

test("finds content that is written after a disconnect, and limits that are exceeded", async () => {
  const { id } = standing;
  const disconnected = `UPDATE connection SET status = 'DISCONNECTED' WHERE id = '${id}';
    UPDATE content_item SET observed_at = now() WHERE connection_id = '${id}';
    UPDATE connection SET status = 'CONNECTED' WHERE id = '${id}'`;
  const rules = await brokenAfter(disconnected, "SELECT 1");
  expect(rules).toEqual(["content written after a disconnect", "connection moved"]);
  const jobs = `INSERT INTO job (id, application_id, connection_id, scope_hash, provider, kind, status, next_retry_at, created_at)
    SELECT gen_random_uuid(), application_id, id, '\\x00', provider, 'SCAN', 'QUEUED', now() + interval '9 days', now()
      FROM connection, generate_series(1, 21) WHERE id = '${id}'`;
  expect(await brokenAfter(jobs, `DELETE FROM job WHERE scope_hash = '\\x00'`)).toEqual([
    "more than 20 read jobs in flight",
  ]);
  const attempts = `CREATE TABLE probe.aside AS SELECT a.* FROM connect_attempt a, generate_series(1, 6)
      WHERE a.connection_id = '${id}';
    UPDATE probe.aside SET id = gen_random_uuid(), launch_token_hash = uuid_send(gen_random_uuid()), state_hash = NULL,
      status = 'CREATED', connection_id = NULL;
    INSERT INTO connect_attempt SELECT * FROM probe.aside; DROP TABLE probe.aside`;
  const undo = `DELETE FROM connect_attempt WHERE status IN ('CREATED', 'EXPIRED')`;
  expect(await brokenAfter(attempts, undo)).toContain("more than 5 unfinished attempts");
});

test("finds an admin write without its audit entry, and an entry without its write", async () => {
  const rule = ["an admin write has one audit entry"];
  expect(await brokenAfter(...missing("audit_entry", "summary LIKE '%tenant-0000-02-0%'"))).toEqual(rule);
  const { applications, deployment } = cluster;
  const { rows } = await deployment.database.query<{ keys: string[] }>(
    "SELECT tenant_keys AS keys FROM application WHERE id = $1",
    [applications.demo.id],
  );
  const set = (keys: readonly string[]) =>
    `UPDATE application SET tenant_keys = '{${keys.join(",")}}' WHERE id = '${applications.demo.id}'`;
  const [all, fewer] = [rows[0]?.keys ?? [], rows[0]?.keys.filter((key) => key !== "tenant-0000-02-1") ?? []];
  expect(await brokenAfter(set(fewer), set(all))).toEqual(rule);
});

test("finds an unexpected process exit", async () => {
  const worker = cluster.replicas.find(({ name }) => name === "worker-1");
  process.kill(worker?.process.program.child.pid ?? Number.NaN, "SIGKILL");
  await eventually(() => expect(known.processFailures).toHaveLength(1));
  expect(await broken()).toEqual(["processes live"]);
  await cluster.allReady();
});

test("finds a grant that was left behind at the provider", async () => {
  const { client, providerUrls, simulatorUrl, url } = cluster.deployment;
  const { "provider-a": provider } = providerUrls;
  const redirectUri = `${url}/api/connect/callback/provider-a`;
  const request = {
    client_id: client.clientId,
    redirect_uri: redirectUri,
    response_type: "code",
    scope: SCOPE_A_READ,
  };
  const back = await giveConsent(`${provider}/o/oauth2/v2/auth?${new URLSearchParams(request)}`, {
    account: erased.account,
  });
  const exchange = {
    ...{ client_id: client.clientId, client_secret: client.clientSecret },
    ...{ grant_type: "authorization_code", redirect_uri: redirectUri, code: back.searchParams.get("code") ?? "" },
  };
  const answer = await fetch(`${provider}/token`, { method: "POST", body: new URLSearchParams(exchange) });
  expect(answer.status).toBe(200);
  expect(await broken()).toEqual(["no grant is left behind"]);
  await control(simulatorUrl, "POST", `/accounts/provider-a/${erased.account}/end-grant`, {});
});

test("finds a refresh token that is sent again blindly, and a connection on a revoked grant", async () => {
  const { client, database, providerUrls } = cluster.deployment;
  const grants = await findGrants(database, run.context.encryptionKeys);
  const grant = grants.find(({ connectionId }) => connectionId === standing.id);
  const form = {
    ...{ client_key: client.clientId, client_secret: client.clientSecret },
    ...{ grant_type: "refresh_token", refresh_token: grant?.token ?? "" },
  };
  const refresh = () =>
    fetch(`${providerUrls["provider-b"]}/v2/oauth/token/`, { method: "POST", body: new URLSearchParams(form) });
  expect(await broken(checkNextDay)).toEqual(["no trace of an erased subject"]);
  const subjects = () => brokenAfter(...missing("connect_attempt", "true"), checkNextDay);
  expect(await subjects()).toEqual([]);
  expect((await refresh()).status).toBe(200);
  expect(await subjects()).toEqual(["no connection is CONNECTED on a revoked grant"]);
  await refresh();
  expect(await broken()).toEqual(["no refresh token is sent blindly"]);
});
