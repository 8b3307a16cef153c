import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { median, quantile } from "../../benchmarks/src/results/report.ts";
import { control, eventually, SWEEPS_ALL } from "../../packages/testkit/src/index.ts";
import { callAs } from "../actors/person.ts";
import { startDeployment } from "../deployment/deployment.ts";
import { accept, eventOf, hang, type ReceiverPath, startReceiver } from "./receiver.ts";
import { type Backend, openBackend } from "./scene.ts";

const OTHERS = 9;
const SIZE = SWEEPS_ALL ? { events: 100_000, changes: 60 } : { events: 1_000, changes: 10 };
/** What waits for an endpoint that does not answer in time. */
const EVENTS_OF_SLOW = 1_000;
const SLOW_MS = 9_500;
const READS_PER_CHANGE = 20;
const WARM_UP_READS = 300;
const MOST_DELAY_MS = 2_000;
const MOST_SLOWDOWN = 3;
const HANGS_AFTER_MS = 3_600_000;

test(
  "a dead endpoint, a slow one and a client with many events delay neither others' events nor their reads",
  async () => {
    const deployment = await startDeployment({ settings: { LOG_LEVEL: "error" } });
    onTestFinished(() => deployment[Symbol.asyncDispose]());
    const receivers = await startReceiver();
    onTestFinished(() => receivers[Symbol.asyncDispose]());
    const { clock, database, processes, simulatorUrl } = deployment;
    const worker = processes.find(({ role }) => role === "worker");
    if (worker === undefined) throw new Error("There is no worker.");
    const open = (name: string, accounts: number, answer: ReceiverPath["answer"]) =>
      openBackend(deployment, receivers, { name, accounts, answer });
    const slow: ReceiverPath["answer"] = (response) => {
      void delay(SLOW_MS).then(() => response.end());
      return true;
    };
    const troubles = [await open("dead", 0, hang), await open("slow", 0, slow), await open("busy", 0, accept)];
    const others: Backend[] = [];
    for (let index = 0; index < OTHERS; index += 1) others.push(await open(`other-${index}`, SIZE.changes, accept));
    const [reader, ...rest] = others;
    if (reader === undefined || rest.length === 0) throw new Error("There are no others.");
    const readTimes = async (times: number) => {
      const took: number[] = [];
      const scope = { tenantKey: reader.application.tenantKeys[0], externalSubjectId: reader.accounts[0]?.name };
      for (let read = 0; read < times; read += 1) {
        const from = performance.now();
        await callAs(reader.application, "connections", { scope, first: 20 });
        took.push(performance.now() - from);
      }
      return took;
    };
    await readTimes(WARM_UP_READS);
    for (const [index, events] of [EVENTS_OF_SLOW, EVENTS_OF_SLOW, SIZE.events].entries())
      await store(database, troubles[index]?.clientId ?? "", events, await clock.now());
    await clock.sweep();
    await eventually(() => {
      for (const { receiver } of troubles) expect(receiver.tries.length).toBeGreaterThan(0);
    });
    const [idle, during]: [number[], number[]] = [[], []];
    for (let change = 0; change < SIZE.changes; change += 1) {
      for (const { accounts } of others) {
        // Idle turns alternate with the others, because machines differ and change.
        worker.freeze();
        idle.push(...(await readTimes(READS_PER_CHANGE)));
        worker.resume();
        await control(simulatorUrl, "POST", `/accounts/provider-c/${accounts[change]?.name}/remove-app`, {});
        during.push(...(await readTimes(READS_PER_CHANGE)));
      }
    }
    const delays: number[] = [];
    await eventually(() => {
      const received = others.flatMap(({ receiver }) => receiver.tries);
      const changes = received.filter((one) => eventOf(one).type === "connection.reconnect_required");
      // A worker that was stopped for long may send one again.
      const first = new Map(changes.toReversed().map((one) => [one.id, one]));
      expect(first.size).toBe(OTHERS * SIZE.changes);
      delays.push(...[...first.values()].map((one) => one.atMs - Date.parse(eventOf(one).timestamp)));
    });
    const sent = troubles.map(({ receiver }) => receiver.tries.length);
    const [idleMs, duringMs, delayMs] = [median(idle), median(during), median(delays)];
    console.info(
      `delay of ${delays.length} events: median ${Math.round(delayMs)} ms, 99 % ${Math.round(quantile(delays, 0.99))} ms; ` +
        `reads: ${idleMs.toFixed(1)} ms idle, ${duringMs.toFixed(1)} ms during; sent to dead, slow and busy: ${sent.join(", ")}`,
    );
    expect(delayMs).toBeLessThan(MOST_DELAY_MS);
    expect(duringMs).toBeLessThan(MOST_SLOWDOWN * idleMs);
    expect(receivers.problems).toEqual([]);
  },
  HANGS_AFTER_MS,
);

/** Stores events of a client with their deliveries, as so many changes would have. */
async function store(database: pg.Pool, clientId: string, events: number, now: Date): Promise<void> {
  await database.query(
    `WITH stored AS (
       INSERT INTO event (id, application_id, type, occurred_at)
       SELECT gen_random_uuid(), $1::uuid, 'test', $3::timestamptz FROM generate_series(1, $2) RETURNING id)
     INSERT INTO event_delivery (id, application_id, event_id, endpoint_id, status, next_try_at, created_at)
     SELECT gen_random_uuid(), $1::uuid, stored.id, event_endpoint.id, 'WAITING', $3, $3
       FROM stored, event_endpoint WHERE event_endpoint.application_id = $1::uuid`,
    [clientId, events, now],
  );
}
