/**
 * The queries of the panel's support pages on a million connections. `pnpm benchmark support [--connections N]`
 *
 * Fails if a statement takes 50 ms or longer, or reads a table that grows with the number of users without an index. Each
 * statement runs three times and counts with its shortest time, because other processes can delay it.
 */
import { randomBytes, randomUUID } from "node:crypto";
import { parseArgs } from "node:util";
import type { Pool } from "pg";
import { SYSTEM } from "../../../apps/server/src/modules/admin/actor.ts";
import { countForeseenReconnects } from "../../../apps/server/src/modules/overview/countRows.ts";
import { findPeople, suggestUsers } from "../../../apps/server/src/modules/people/findPeople.ts";
import { findPerson } from "../../../apps/server/src/modules/people/findPerson.ts";
import { readPerson } from "../../../apps/server/src/modules/people/readPerson.ts";
import type { Service } from "../../../apps/server/src/modules/service.ts";
import { findByReference } from "../../../apps/server/src/modules/support/findByReference.ts";
import { listAllConnections } from "../../../apps/server/src/modules/support/listAllConnections.ts";
import {
  findScope,
  searchConnectAttempts,
  searchConnections,
} from "../../../apps/server/src/modules/support/searchConnections.ts";
import { viewConnection } from "../../../apps/server/src/modules/support/viewConnection.ts";
import { statementsOf } from "../../../apps/server/src/modules/testing/statements.ts";
import { SystemClock } from "../../../apps/server/src/platform/clock.ts";
import { openDatabase } from "../../../apps/server/src/platform/database.ts";
import { applyMigrations } from "../../../apps/server/src/platform/migrations.ts";
import { Secret } from "../../../apps/server/src/platform/secret.ts";
import { createSecretBox } from "../../../apps/server/src/platform/secretBox.ts";
import type { ConnectionListFilter } from "../../../packages/domain/src/index.ts";
import { withTemporaryDatabase } from "../../../packages/testkit/src/harness/temporaryDatabase.ts";
import { type Check, reportChecks } from "../results/checks.ts";
import { CLIENT, fill, REGISTRATIONS, SMALL_TENANT, TENANT } from "./fill.ts";

const MOST_MS = 50;
const SAMPLES = 10;
const RUNS = 3;
const GROWING = ["connection", "connect_attempt", "content_item", "job", "provider_grant"];

interface Cost {
  readonly ms: number;
  readonly scanned: readonly string[];
}

interface Plan {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly Plans?: readonly Plan[];
}

async function main(connections: number): Promise<boolean> {
  return withTemporaryDatabase(async (temporary) => {
    const url = temporary.url("postgres");
    await applyMigrations(url);
    // One session, so that a setting of the fill applies to all of it.
    const filling = openDatabase({ url, poolSize: 1, statementTimeoutMs: 3_600_000 });
    const begin = performance.now();
    await fill(filling.pool, connections);
    await filling.close();
    const seconds = Math.round((performance.now() - begin) / 1_000);
    console.log(`${connections.toLocaleString("en")} connections, filled in ${seconds} s`);
    const database = openDatabase({ url, poolSize: 5 });
    try {
      const { pool, prisma } = database;
      const secretBox = createSecretBox([{ id: "bench", key: new Secret(randomBytes(32).toString("base64")) }]);
      const service = { pool, prisma, secretBox, clock: new SystemClock(pool) } as Partial<Service> as Service;
      const { scanned } = await costOf(pool, "SELECT id FROM job WHERE error_code = $1", ["DISCONNECTED"]);
      const checks: Check[] = [
        { name: "control: a statement without an index is detected", isMet: scanned.length > 0 },
      ];
      for (const [name, call] of await callsOf(service)) checks.push(await measure(pool, name, call));
      return reportChecks(checks);
    } finally {
      await database.close();
    }
  });
}

type Call = () => Promise<unknown>;

async function callsOf(service: Service): Promise<[string, Call[]][]> {
  const { rows } = await service.pool.query<Record<"id" | "job" | "correlation" | "attempt" | "subject", string>>(
    `SELECT c.id, c.external_subject_id AS subject, j.id AS job, j.correlation_id AS correlation, a.id AS attempt
       FROM connect_attempt a JOIN connection c ON c.id = a.connection_id JOIN job j ON j.connection_id = c.id
      WHERE j.kind = 'SCAN' ORDER BY md5(c.id::text) LIMIT $1`,
    [SAMPLES],
  );
  const scope = (externalSubjectId: string) => ({ clientSlug: CLIENT, tenantKey: TENANT, externalSubjectId });
  const each = (call: (row: (typeof rows)[number]) => Promise<unknown>): Call[] => rows.map((row) => () => call(row));
  const secondPage = async (externalSubjectId: string) => {
    const first = await searchConnections(service, SYSTEM, scope(externalSubjectId), { first: 1, after: null });
    return searchConnections(service, SYSTEM, scope(externalSubjectId), { first: 1, after: first.pageInfo.endCursor });
  };
  const page = { first: null, after: null };
  const suggest = async (subject: string) => {
    for (let length = 1; length <= subject.length; length += 1) {
      const startsWith = subject.slice(0, length);
      await suggestUsers(service, SYSTEM, { clientSlug: CLIENT, tenantKey: TENANT, startsWith });
    }
  };
  const personOf = async (subject: string) =>
    readPerson(service, await findPerson(service, await findScope(service, scope(subject))));
  return [
    ["suggestions of users, for each typed letter", each(({ subject }) => suggest(subject))],
    ["a user in all clients", each(({ subject }) => findPeople(service, SYSTEM, subject))],
    ["an unknown user in all clients", each(() => findPeople(service, SYSTEM, randomUUID()))],
    ["the page of a user", each(({ subject }) => personOf(subject))],
    ["connections of a subject", each(({ subject }) => searchConnections(service, SYSTEM, scope(subject), page))],
    ["the second page of them", each(({ subject }) => secondPage(subject))],
    [
      "connect attempts of a subject",
      each(({ subject }) => searchConnectAttempts(service, SYSTEM, scope(subject), page)),
    ],
    ["by connection id", each(({ id }) => findByReference(service, SYSTEM, id))],
    ["by connect attempt id", each(({ attempt }) => findByReference(service, SYSTEM, attempt))],
    ["by job id", each(({ job }) => findByReference(service, SYSTEM, job))],
    ["by correlation id", each(({ correlation }) => findByReference(service, SYSTEM, correlation))],
    ["by an unknown id", each(() => findByReference(service, SYSTEM, randomUUID()))],
    ...listsOf(service),
    ["foreseen reconnects", [() => countForeseenReconnects(service)]],
    ["opening a connection", each(({ id }) => viewConnection(service, SYSTEM, { id, reason: "benchmark" }))],
  ];
}

/** Every combination of the filters of the list of connections, with the page that follows the first. */
function listsOf(service: Service): [string, Call[]][] {
  const day = 86_400_000;
  const registrationId = REGISTRATIONS.find(({ provider }) => provider === "PROVIDER_B")?.id;
  const choices: Readonly<Record<string, readonly ConnectionListFilter[]>> = {
    owner: [{}, { clientSlug: CLIENT }, { clientSlug: CLIENT, tenantKey: SMALL_TENANT }, { registrationId }],
    provider: [{}, { provider: "PROVIDER_B" }],
    status: [{}, { status: "RECONNECT_REQUIRED" }, { status: "DELETING" }],
    scan: [{}, { syncStatus: "PENDING" }, { errorCode: "UPSTREAM_UNAVAILABLE" }, { reconnectForeseen: true }],
    age: [{}, { from: new Date(Date.now() - day) }, { to: new Date(Date.now() - 11 * day) }],
  };
  const all = Object.values(choices).reduce<readonly ConnectionListFilter[]>(
    (some, more) => some.flatMap((one) => more.map((other) => ({ ...one, ...other }))),
    [{}],
  );
  const twoPages = async (filter: ConnectionListFilter) => {
    const { pageInfo } = await listAllConnections(service, filter, { first: null, after: null });
    await listAllConnections(service, filter, { first: null, after: pageInfo.endCursor });
  };
  return all.map((filter) => [`connections ${JSON.stringify(filter)}`, [() => twoPages(filter)]]);
}

async function measure(pool: Pool, name: string, calls: readonly Call[]): Promise<Check> {
  const costs: Cost[] = [];
  const begin = performance.now();
  for (const call of calls) {
    const statements = (await statementsOf(call)).filter(({ text }) => /^(?:SELECT|WITH)\b/i.test(text));
    for (const { text, values } of statements) costs.push(await costOf(pool, text, values));
  }
  const worst = Math.max(...costs.map(({ ms }) => ms));
  const scanned = [...new Set(costs.flatMap((cost) => cost.scanned))];
  const perCall = Math.round(costs.length / calls.length);
  const total = Math.round((performance.now() - begin) / calls.length);
  console.log(`${name}: ${perCall} statements, slowest ${worst.toFixed(2)} ms, measured in ${total} ms each`);
  const scans = scanned.length === 0 ? "" : `, but it scans ${scanned.join(", ")}`;
  return {
    name: `${name}: every statement uses an index and takes less than ${MOST_MS} ms${scans}`,
    isMet: costs.length > 0 && worst < MOST_MS && scanned.length === 0,
  };
}

async function costOf(pool: Pool, text: string, values: readonly unknown[]): Promise<Cost> {
  const scanned: string[] = [];
  let ms = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS; run += 1) {
    const { rows } = await pool.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, [...values]);
    const [explained] = rows[0]["QUERY PLAN"];
    ms = Math.min(ms, explained["Planning Time"] + explained["Execution Time"]);
    collectScans(explained.Plan, scanned);
  }
  return { ms, scanned };
}

function collectScans(plan: Plan, scanned: string[]): void {
  const table = plan["Relation Name"];
  if (plan["Node Type"] === "Seq Scan" && table !== undefined && GROWING.includes(table)) scanned.push(table);
  for (const child of plan.Plans ?? []) collectScans(child, scanned);
}

const { values } = parseArgs({ options: { connections: { type: "string", default: "1000000" } } });
const connections = Number(values.connections);
if (!Number.isInteger(connections) || connections < 100) throw new Error("--connections must be a number from 100.");
if (!(await main(connections))) process.exitCode = 1;
