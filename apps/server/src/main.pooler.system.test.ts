import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { eventually, reservePort, runStatement, testDatabase } from "@social-connect/testkit";
import pg from "pg";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { hasPgBouncer, prepareForPooler, startPgBouncer } from "../../../tools/pgBouncer.ts";
import { readSettings } from "./config/settings.ts";
import { type RunningServer, startServer } from "./main.ts";
import { checkDatabase } from "./platform/database/checkDatabase.ts";
import { HOURLY_SWEEPS, MINUTE_SWEEPS } from "./worker/sweeps.ts";

const SETTINGS = {
  LOG_LEVEL: "silent",
  DRAIN_SECONDS: "0",
  ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 1).toString("base64")}`,
};
const WITHOUT_TLS = { requireTls: false };

let url: string;

beforeEach(async () => {
  const database = await testDatabase();
  onTestFinished(database.drop);
  ({ url } = database);
});

async function start(environment: Record<string, string>): Promise<RunningServer> {
  const settings = readSettings({ ...SETTINGS, PORT: String(await reservePort()), ...environment });
  const server = await startServer(settings);
  onTestFinished(() => server.stop());
  return server;
}

/** Starts api and worker, makes 50 concurrent calls with a key, and waits until the worker has run its sweeps. */
async function use(environment: Record<string, string>): Promise<RunningServer> {
  const key = await createKey();
  const server = await start(environment);
  const call = async () => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const body = JSON.stringify({ query: "{ integrationReadiness { idpIdentityAvailable } }" });
    return (await fetch(`${server.address}/graphql`, { method: "POST", headers, body })).json();
  };
  const answers = await Promise.all(Array.from({ length: 50 }, call));
  expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
    new Set([JSON.stringify({ data: { integrationReadiness: { idpIdentityAvailable: false } } })]),
  );
  expect((await fetch(`${server.address}/readyz`)).status).toBe(200);
  await eventually(async () => {
    const sweeps = await runStatement(url, "SELECT name FROM sweep_state WHERE succeeded_at IS NOT NULL");
    expect(sweeps.map(({ name }) => name)).toEqual(expect.arrayContaining(SWEEPS));
  });
  return server;
}

const SWEEPS = [...MINUTE_SWEEPS, ...HOURLY_SWEEPS].map(({ name }) => name);

async function createKey(): Promise<string> {
  const [application, keyId, secret] = [randomUUID(), randomUUID(), "ab".repeat(32)];
  await runStatement(
    url,
    `INSERT INTO application (id, slug, display_name, web_origins, return_urls, identity_return_urls, providers, capabilities, tenant_keys,
       preview_return_paths, created_at, updated_at)
     VALUES ('${application}', 'pooled', 'Pooled', '{}', '{}', '{}', '{}', '{}', '{tenant}', '{}', now(), now())`,
  );
  await runStatement(
    url,
    `INSERT INTO application_key (id, application_id, secret_hash, created_at)
     VALUES ('${keyId}', '${application}', sha256('${secret}'), now())`,
  );
  return `${keyId}.${secret}`;
}

test("statements to a pooler have no names and need no session", async () => {
  await prepareForPooler(url);
  const relay = await startRelay(url);
  const server = await use({ DATABASE_URL: relay.url, DATABASE_DIRECT_URL: url });
  await server.stop();
  const sent = relay.sent();
  expect(sent).toContain("application_key");
  expect(sent).not.toMatch(/statement_timeout\0|idle_in_transaction_session_timeout\0|lock_timeout\0/);
  expect(sent).not.toMatch(/\bLISTEN\b|pg_advisory_lock|\bSET SESSION\b/);
  expect(namesOf(relay.messages())).toEqual([]);
});

test("statements to a database have names, so that they are prepared once", async () => {
  const relay = await startRelay(url);
  const server = await use({ DATABASE_URL: relay.url });
  await server.stop();
  expect(namesOf(relay.messages())).toContain("applications.findKey");
});

test("refuses a direct URL of another database", async () => {
  await prepareForPooler(url);
  const other = await testDatabase();
  onTestFinished(other.drop);
  await expect(checkDatabase({ url, directUrl: other.url }, WITHOUT_TLS)).rejects.toThrow(
    /another database than that of DATABASE_URL/,
  );
});

test("accepts a direct URL whose session has another time zone", async () => {
  await prepareForPooler(url);
  const direct = new URL(url);
  direct.searchParams.set("options", "-c TimeZone=Asia/Tokyo -c DateStyle=German");
  await checkDatabase({ url, directUrl: direct.href }, WITHOUT_TLS);
});

test("names the folder of a Unix socket where no database listens", async () => {
  const socket = { url: "postgres://%2Fnowhere:5433/none", directUrl: null };
  await expect(checkDatabase(socket, WITHOUT_TLS)).rejects.toThrow(
    /^DATABASE_URL: the database at \/nowhere:5433\/none cannot be used: nothing listens there/,
  );
});

test("refuses a direct URL where no database listens", async () => {
  await prepareForPooler(url);
  await expect(checkDatabase({ url, directUrl: "postgres://user@127.0.0.1:1/none" }, WITHOUT_TLS)).rejects.toThrow(
    /^DATABASE_DIRECT_URL: .* nothing listens there/,
  );
});

describe.skipIf(!hasPgBouncer)("with PgBouncer (Debian package pgbouncer)", () => {
  test("refuses a pooler in transaction mode without a direct URL, in one line", async () => {
    const pooler = await startPgBouncer(url);
    onTestFinished(pooler.stop);
    const error = await start({ DATABASE_URL: pooler.url }).catch((reason: Error) => reason.message);
    expect(error).toMatch(/^DATABASE_URL: .*pooler in transaction mode; also set DATABASE_DIRECT_URL/);
    expect(error).not.toContain("\n");
  });

  test("refuses a direct URL that is a pooler, too", async () => {
    await prepareForPooler(url);
    const pooler = await startPgBouncer(url);
    onTestFinished(pooler.stop);
    const { url: directUrl } = pooler;
    await expect(checkDatabase({ url: directUrl, directUrl }, WITHOUT_TLS)).rejects.toThrow(
      /^DATABASE_DIRECT_URL: .*pooler in transaction mode, too/,
    );
  });

  test("refuses a pooler in transaction mode that uses its connections in turn and accepts any parameter", async () => {
    const pooler = await startPgBouncer(url, {
      settings: ["server_round_robin = 1", "ignore_startup_parameters = statement_timeout"],
    });
    onTestFinished(pooler.stop);
    await openConnectionsOf(pooler.url, 8);
    await expect(checkDatabase({ url: pooler.url, directUrl: null }, WITHOUT_TLS)).rejects.toThrow(
      /pooler in transaction mode; also set DATABASE_DIRECT_URL/,
    );
  });

  test("refuses a pooler in statement mode, also with a direct URL", async () => {
    await prepareForPooler(url);
    const pooler = await startPgBouncer(url, { mode: "statement" });
    onTestFinished(pooler.stop);
    await expect(checkDatabase({ url: pooler.url, directUrl: url }, WITHOUT_TLS)).rejects.toThrow(
      /^DATABASE_URL: .*allows no transactions .*must be in transaction mode$/,
    );
  });

  test("names the pool and the remedy when it is exhausted, paused or full, or lacks the database", async () => {
    await prepareForPooler(url);
    const admin = new URL(url);
    const settings = ["query_wait_timeout = 1", "max_client_conn = 3", `admin_users = ${admin.username}`];
    const pooler = await startPgBouncer(url, { poolSize: 1, settings });
    onTestFinished(pooler.stop);
    const check = () => checkDatabase({ url: pooler.url, directUrl: url }, WITHOUT_TLS);
    await check();

    const client = new pg.Client({ connectionString: pooler.url });
    await client.connect();
    await client.query("BEGIN");
    await expect(check()).rejects.toThrow(/^DATABASE_URL: .*runs no statement; if it is a pooler, .*SHOW POOLS/);
    await client.query("COMMIT");
    await check();

    const consoleUrl = new URL(pooler.url);
    consoleUrl.pathname = "/pgbouncer";
    const operator = new pg.Client({ connectionString: consoleUrl.href });
    await operator.connect();
    await operator.query("PAUSE");
    await expect(check()).rejects.toThrow(/^DATABASE_URL: .*resume it if it is paused \(PgBouncer: RESUME\)/);
    await operator.query("RESUME");
    await check();

    const third = new pg.Client({ connectionString: pooler.url });
    await third.connect();
    await expect(check()).rejects.toThrow(
      /^DATABASE_URL: .*the pooler's limit of clients is reached; raise max_client/,
    );
    await third.end();
    consoleUrl.pathname = "/missing";
    await expect(checkDatabase({ url: consoleUrl.href, directUrl: url }, WITHOUT_TLS)).rejects.toThrow(
      /^DATABASE_URL: .*the pooler has no such database; add it/,
    );
    await Promise.all([client.end(), operator.end()]);
  });

  test("serves calls and runs sweeps through a pooler in session mode as through the database itself", async () => {
    const pooler = await startPgBouncer(url, { mode: "session", poolSize: 50 });
    onTestFinished(pooler.stop);
    await use({ DATABASE_URL: pooler.url });
  });

  test("serves calls and runs sweeps through a pooler in transaction mode with few connections", async () => {
    await prepareForPooler(url);
    const pooler = await startPgBouncer(url, { poolSize: 2 });
    onTestFinished(pooler.stop);
    await use({ DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: url });
  });
});

/** Makes a pooler open connections of the database: so many transactions are open concurrently. */
async function openConnectionsOf(pooler: string, count: number): Promise<void> {
  const clients = Array.from({ length: count }, () => new pg.Client({ connectionString: pooler }));
  await Promise.all(clients.map((client) => client.connect()));
  for (const client of clients) await client.query("BEGIN");
  await Promise.all(clients.map((client) => client.query("COMMIT")));
  await Promise.all(clients.map((client) => client.end()));
}

interface Relay {
  readonly url: string;
  /** What clients sent, as text. */
  readonly sent: () => string;
  readonly messages: () => readonly Buffer[];
}

/** Passes connections on to a database and records what clients send. */
async function startRelay(databaseUrl: string): Promise<Relay> {
  const target = new URL(databaseUrl);
  const streams: Buffer[][] = [];
  const sockets = new Set<Socket>();
  const relay = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    const chunks: Buffer[] = [];
    streams.push(chunks);
    client.on("data", (chunk: Buffer) => chunks.push(chunk));
    client.pipe(upstream).pipe(client);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
    }
  });
  relay.listen(0, "127.0.0.1");
  await once(relay, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    relay.close();
  });
  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  url.port = String((relay.address() as AddressInfo).port);
  const messages = () => streams.map((chunks) => Buffer.concat(chunks));
  return { url: url.href, messages, sent: () => messages().map(String).join("\n") };
}

/** The names of prepared statements (Parse messages, PostgreSQL's protocol 3.0) in what connections sent. */
function namesOf(streams: readonly Buffer[]): readonly string[] {
  return streams.flatMap((stream) => {
    const names: string[] = [];
    // The start-up message has no type.
    let at = stream.readInt32BE(0);
    while (at + 5 <= stream.length) {
      const [type, length] = [String.fromCharCode(stream[at] ?? 0), stream.readInt32BE(at + 1)];
      const end = stream.indexOf(0, at + 5);
      if (type === "P" && end > at + 5) names.push(stream.toString("utf8", at + 5, end));
      at += 1 + length;
    }
    return names;
  });
}
