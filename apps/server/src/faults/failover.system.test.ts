import { readFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import {
  DATABASE_SERVER_VARIABLE,
  eventually,
  runStatement,
  TEMPLATE_DATABASE_VARIABLE,
} from "@social-connect/testkit";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { RETURN_URL } from "../modules/testing/builders.ts";
import { createConnection, scopeOf } from "../modules/testing/connections.ts";
import { applyMigrations } from "../platform/database/migrations.ts";
import { MAINTENANCE_DATABASE } from "../platform/embeddedDatabase/start.ts";
import { makeTemporaryDataFolder } from "../platform/testing/temporaryDatabase.ts";
import { type RealTimeService, startRealTimeService } from "../worker/testing/realTimeService.ts";
import { type ApiProcess, CREATE_CONNECT_SESSION, startApi } from "./testing/apiProcess.ts";
import { PASSWORD, startFromBackup, startIn, takeBaseBackup } from "./testing/baseBackup.ts";

/** Two servers with streaming replication. */
async function startReplicatedDatabase() {
  const folders = [await makeTemporaryDataFolder(), await makeTemporaryDataFolder()] as const;
  const [{ path: from }, { path: to }] = folders;
  const primary = await startIn(from);
  await takeBaseBackup(primary, from, to);
  const url = primary.url(MAINTENANCE_DATABASE);
  const { port, username } = new URL(url);
  const password = (await readFile(join(from, PASSWORD), "utf8")).trim();
  const address = `host=127.0.0.1 port=${port} user=${username} password=${password}`;
  const standby = await startFromBackup(to, "standby.signal", [`primary_conninfo = '${address}'\n`]);
  await eventually(async () => {
    const senders = await runStatement(url, "SELECT 1 FROM pg_stat_replication");
    if (senders.length === 0) throw new Error("the standby does not replicate yet");
  });
  const stop = async () => {
    for (const server of [standby, primary]) await server.stop();
    for (const folder of folders) await folder.remove();
  };
  return { primary, standby, stop };
}

const CALLERS = 12;
/** A session at the standby fails at most one write of its pool, which has ten; the rest is for a slow machine. */
const MOST_FAILURES = 2 * CALLERS;
/** Each caller's writes after that. */
const WRITES_AFTER = 20;
const CONNECTIONS = "query ($scope: SubjectScope!) { connections(scope: $scope) { items { id } } }";

type ReplicatedDatabase = Awaited<ReturnType<typeof startReplicatedDatabase>>;
let servers: ReplicatedDatabase;
let real: RealTimeService;
let address: ReplicatedAddress;
let api: ApiProcess;
const processes = new AsyncDisposableStack();

beforeAll(async () => {
  servers = await startReplicatedDatabase();
  await applyMigrations(servers.primary.url("postgres"));
  vi.stubEnv(DATABASE_SERVER_VARIABLE, servers.primary.url("template1"));
  vi.stubEnv(TEMPLATE_DATABASE_VARIABLE, "postgres");
  real = await startRealTimeService();
  address = await ReplicatedAddress.open(servers);
  const url = new URL(real.databaseUrl);
  url.port = String(address.port);
  api = await startApi(processes, { ...real, databaseUrl: url.href });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await processes.disposeAsync();
  await real?.service.close();
  address?.close();
  await servers?.stop();
});

/** Forwards connections to one of two servers, as a name of a cluster does. Open connections stay where they are. */
class ReplicatedAddress {
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((socket) => this.#forward(socket));
  readonly #ports: Readonly<Record<"primary" | "standby", number>>;
  leadsTo: "primary" | "standby" = "primary";

  private constructor({ primary, standby }: ReplicatedDatabase) {
    const portOf = (url: string) => Number(new URL(url).port);
    this.#ports = { primary: portOf(primary.url("postgres")), standby: portOf(standby.url("postgres")) };
  }

  static async open(servers: ReplicatedDatabase): Promise<ReplicatedAddress> {
    const address = new ReplicatedAddress(servers);
    await new Promise<void>((resolve) => void address.#server.listen(0, "127.0.0.1", resolve));
    return address;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Closes every connection; later ones go to the server that `leadsTo` names. */
  interrupt(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  close(): void {
    this.interrupt();
    this.#server.close();
  }

  #forward(socket: Socket): void {
    const target = connect(this.#ports[this.leadsTo], "127.0.0.1");
    for (const [one, other] of [
      [socket, target],
      [target, socket],
    ] as const) {
      this.#sockets.add(one);
      one.on("error", () => undefined);
      one.on("close", () => {
        this.#sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  }
}

let subject = 0;
async function write(): Promise<unknown> {
  subject += 1;
  const scope = { ...real.application.scope, externalSubjectId: `writer-${subject}` };
  const input = { scope, provider: "PROVIDER_A", capabilities: ["PROFILE"], returnUrl: RETURN_URL };
  return (await api.call(CREATE_CONNECT_SESSION, { input })).code;
}

test("after connections went to a standby, twelve callers write again, and readiness reports each state", async () => {
  const connection = await createConnection(real.service, real.application, real.registrations);
  const read = async () => (await api.call(CONNECTIONS, { scope: scopeOf(connection) })).code;
  expect(await Promise.all(Array.from({ length: CALLERS }, write))).toEqual(Array(CALLERS).fill(undefined));
  const position = "SELECT pg_current_wal_lsn()::text AS position";
  const [written] = await runStatement<{ position: string }>(servers.primary.url("postgres"), position);
  await eventually(async () => {
    const replayed = `SELECT pg_last_wal_replay_lsn() >= '${written?.position}' AS "isReplayed"`;
    expect(await runStatement(servers.standby.url("postgres"), replayed)).toEqual([{ isReplayed: true }]);
  });

  address.leadsTo = "standby";
  address.interrupt();
  const refused = Array.from({ length: CALLERS }, () =>
    eventually(async () => expect(await write()).not.toBeUndefined()),
  );
  await Promise.all(refused);
  await eventually(async () => expect(await read()).toBeUndefined());
  await eventually(async () => expect(await api.status("/readyz")).toBe(503));

  // The sessions at the standby stay open: only their errors show that they are useless.
  address.leadsTo = "primary";
  const since = performance.now();
  let failures = 0;
  const recover = async () => {
    while (failures <= MOST_FAILURES && (await write()) !== undefined) failures += 1;
  };
  await Promise.all(Array.from({ length: CALLERS }, recover));
  console.info(`writes recovered within ${Math.round(performance.now() - since)} ms, after ${failures} failures`);
  expect(failures).toBeLessThanOrEqual(MOST_FAILURES);
  await eventually(async () => expect(await api.status("/readyz")).toBe(200));
  const writes = await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      const codes: unknown[] = [];
      for (let call = 0; call < WRITES_AFTER; call += 1) codes.push(await write());
      return codes;
    }),
  );
  expect(writes.flat().filter((code) => code !== undefined)).toEqual([]);
});
