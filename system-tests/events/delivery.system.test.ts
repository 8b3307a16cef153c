import type pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { EVENT_RETRY_DELAYS_SECONDS } from "../../packages/contract/src/index.ts";
import { startDurableDatabase } from "../../packages/testkit/src/harness/temporaryDatabase.ts";
import { control, eventually, SWEEPS_ALL } from "../../packages/testkit/src/index.ts";
import { inLanes } from "../../tools/packages/lanes.ts";
import type { NewAccount } from "../actors/accounts.ts";
import { startDeployment } from "../deployment/deployment.ts";
import { eventOf, startReceiver, unreliable } from "./receiver.ts";
import { LINKERS, openBackend } from "./scene.ts";

const SIZE = SWEEPS_ALL
  ? { applications: 10, connections: 1_000, kills: 20, stops: 2, hoursMs: 4 * 3_600_000 }
  : { applications: 3, connections: 20, kills: 4, stops: 1, hoursMs: 1_200_000 };
const DATABASE_IS_DOWN_MS = 1_500;
const LONGEST_MS = EVENT_RETRY_DELAYS_SECONDS.reduce((sum, seconds) => sum + seconds * 1_200, 0);
const TOGETHER_MS = 600_000;
/** For what a busy machine adds to a schedule that is read by the service's clock. */
const SLACK_MS = 600_000;

interface Removal {
  readonly deauthorizations: readonly { readonly status: number | null }[];
}

interface StoredEvent {
  readonly id: string;
  readonly type: string;
  readonly connectionId: string;
  readonly occurredAt: Date;
  readonly status: string;
  readonly tries: number;
  readonly tookMs: number;
}

test(
  "every change reaches its backend, and nothing else, while workers are killed, the database stops and the backend fails",
  async () => {
    const postgres = await startDurableDatabase();
    onTestFinished(() => postgres.stop());
    const deployment = await startDeployment({
      roles: ["api", "worker", "worker"],
      settings: { CLOCK: "movable", LOG_LEVEL: "error" },
      databaseUrl: postgres.url("postgres"),
    });
    onTestFinished(() => deployment[Symbol.asyncDispose]());
    const receivers = await startReceiver();
    onTestFinished(() => receivers[Symbol.asyncDispose]());
    const { database, clock, processes } = deployment;
    const workers = processes.filter(({ role }) => role === "worker");
    const backends = [];
    for (let index = 0; index < SIZE.applications; index += 1) {
      const options = { name: `shop-${index}`, accounts: SIZE.connections, answer: unreliable() };
      backends.push(await openBackend(deployment, receivers, options));
    }
    const accounts = backends.flatMap((backend) => backend.accounts);

    /** The provider reports a change of each account, until the service has taken it, and disturbances come in between. */
    const change = async (report: (account: NewAccount) => Promise<boolean>) => {
      const { kills, stops } = SIZE;
      const disturbances = [
        ...Array.from({ length: kills / 2 }, (_, index) => async () => {
          const worker = workers[index % workers.length];
          await worker?.kill();
          await worker?.start();
        }),
        ...Array.from({ length: Math.ceil(stops / 2) }, () => () => postgres.crash(DATABASE_IS_DOWN_MS)),
      ];
      let done = 0;
      const disturbed = (async () => {
        for (const [index, disturb] of disturbances.entries()) {
          const from = (accounts.length * index) / disturbances.length;
          await eventually(() => expect(done).toBeGreaterThanOrEqual(from), SIZE.hoursMs);
          await disturb();
        }
      })();
      await inLanes(accounts, LINKERS, async (account) => {
        await eventually(async () => expect(await report(account).catch(() => false)).toBe(true));
        done += 1;
      });
      await disturbed;
    };
    /** Moves the clock past the tries of the next minutes whenever nothing is left to do: each may wait for a receiver that hangs. */
    const deliverAll = () =>
      eventually(async () => {
        const { due, inMs } = await readWaiting(database, await clock.now());
        if (due === 0 && inMs !== null) await clock.advance(inMs + TOGETHER_MS);
        expect(inMs).toBeNull();
      }, SIZE.hoursMs);

    await change(async (account) => {
      const path = `/accounts/provider-c/${account.name}/remove-app`;
      // With a time, the provider reports again what it has reported.
      const at = (await clock.now()).toISOString();
      const { deauthorizations } = await control<Removal>(deployment.simulatorUrl, "POST", path, { at });
      return deauthorizations.some(({ status }) => status === 204);
    });
    await deliverAll();
    const reconnects = await readEvents(database, "connection.reconnect_required");
    const { rows } = await database.query<{ id: string }>(
      "SELECT id FROM connection WHERE status = 'RECONNECT_REQUIRED'",
    );
    expect(rows).toHaveLength(accounts.length);
    expect(new Set(reconnects.map(({ connectionId }) => connectionId))).toEqual(new Set(rows.map(({ id }) => id)));
    expect(reconnects).toHaveLength(accounts.length);
    const stored = new Map((await readEvents(database)).map((event) => [event.id, event]));

    await change(async ({ name }) => (await deployment.provider.requestDeletion("PROVIDER_C", name)) !== null);
    await eventually(async () => {
      const left = await database.query("SELECT 1 FROM connection LIMIT 1");
      expect(left.rows).toEqual([]);
    }, SIZE.hoursMs);
    await deliverAll();
    const receipts = (await readEvents(database)).filter(({ type }) => type.startsWith("receipt."));
    expect(receipts).toHaveLength(2 * accounts.length);
    for (const event of receipts) stored.set(event.id, event);

    const tries = backends.flatMap(({ receiver }) => receiver.tries);
    const accepted = new Set(tries.filter(({ isAccepted }) => isAccepted).map(({ id }) => id));
    const bodies = new Map<string, string>();
    for (const { id, body } of tries) expect(bodies.set(id, bodies.get(id) ?? body).get(id)).toBe(body);
    const undelivered = [...reconnects, ...receipts].filter(({ id }) => !accepted.has(id));
    expect(undelivered).toEqual([]);
    for (const { id, status, tries: count, tookMs } of stored.values()) {
      expect({ id, status }).toEqual({ id, status: "SUCCEEDED" });
      expect(count).toBeLessThanOrEqual(EVENT_RETRY_DELAYS_SECONDS.length + 1);
      expect(tookMs).toBeLessThan(LONGEST_MS + SLACK_MS);
    }
    const connections = new Set(rows.map(({ id }) => id));
    for (const one of new Map(tries.map((each) => [each.id, each])).values()) {
      const { type, timestamp, data } = eventOf(one);
      const event = stored.get(one.id);
      // It was erased with its connection, after the provider's request.
      if (event === undefined) expect(["connection.disconnected", "job.failed"]).toContain(type);
      else expect({ type, timestamp }).toEqual({ type: event.type, timestamp: event.occurredAt.toISOString() });
      if ("connectionId" in data) expect(connections.has(data.connectionId ?? "")).toBe(true);
    }
    expect(receivers.problems).toEqual([]);
    const refused = tries.filter(({ isAccepted }) => !isAccepted).length;
    const most = Math.max(...[...stored.values()].map(({ tries: count }) => count));
    console.info(
      `${accounts.length} connections, ${stored.size} events, ${tries.length} requests (${refused} refused or not answered), ` +
        `${tries.length - refused - accepted.size} repeated after an accepted one, at most ${most} tries of an event`,
    );
  },
  SIZE.hoursMs,
);

/** Deliveries that could be made now, and until the next one; null: none waits. */
async function readWaiting(database: pg.Pool, now: Date): Promise<{ due: number; inMs: number | null }> {
  const { rows } = await database.query<{ due: number; inMs: number | null }>(
    `SELECT count(*) FILTER (WHERE next_try_at <= $1::timestamptz + interval '1 second')::int AS due,
            (extract(epoch FROM min(next_try_at) - $1::timestamptz) * 1000)::float8 AS "inMs"
       FROM event_delivery WHERE status = 'WAITING'`,
    [now],
  );
  return rows[0] ?? { due: 0, inMs: null };
}

/** The stored events, with their deliveries. */
async function readEvents(database: pg.Pool, type?: string): Promise<readonly StoredEvent[]> {
  const { rows } = await database.query<StoredEvent>(
    `SELECT event.id, type, connection_id AS "connectionId", occurred_at AS "occurredAt", delivery.status::text, tries,
            (extract(epoch FROM delivery.last_tried_at - event.occurred_at) * 1000)::float8 AS "tookMs"
       FROM event JOIN event_delivery AS delivery ON delivery.event_id = event.id WHERE $1::text IS NULL OR type = $1`,
    [type],
  );
  return rows;
}
