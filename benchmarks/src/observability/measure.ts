/**
 * What metrics, traces and request lines cost of a hot read: CPU time of an api process that is observed in another way
 * in each turn. Exits with 1 if metrics and traces cost more than 3 %.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { withTemporaryDatabase } from "../../../packages/testkit/src/harness/temporaryDatabase.ts";
import { cpuMsOf } from "../reads/cpu.ts";
import { describeMachine } from "../reads/machine.ts";
import { readsOf } from "../reads/reads.ts";
import { seed } from "../reads/seed.ts";
import { environmentOn, requestOf, type Side, sendRequests, startSide } from "../reads/sides.ts";
import { KIND_NAMES, type KindName, type Switch } from "./kinds.ts";

const PROGRAM = [fileURLToPath(new URL("observedApi.ts", import.meta.url))];
const MOST = 1.03;
/** The kind that is bounded. */
const MEASURED: KindName = "metrics, traces";
/** The read that is bounded; the small one has the largest part of its time outside the read. */
const READS = [
  { name: "content, 50 posts", most: MOST },
  { name: "connection", most: Number.POSITIVE_INFINITY },
] as const;
const WARM_UP_REQUESTS = 4_000;
/** Requests in a turn. */
const REQUESTS = 500;
/** Within which the last batch of spans is sent. */
const SENT_MS = 100;

/** Counts what it receives. */
async function startCollector() {
  let bytes = 0;
  const server = createServer((request, response) => {
    request.on("data", (chunk: Buffer) => (bytes += chunk.length));
    request.on("end", () => response.writeHead(200, { "content-type": "application/json" }).end("{}"));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, received: () => bytes, stop: () => new Promise((resolve) => server.close(resolve)) };
}

async function main(rounds: number): Promise<boolean> {
  console.log(describeMachine());
  return withTemporaryDatabase(async (database) => {
    const collector = await startCollector();
    const environment = environmentOn(database.url("postgres"));
    const side = await startSide(PROGRAM, { ...environment, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    try {
      const seeded = await seed(environment.DATABASE_URL);
      const missed: string[] = [];
      console.log(`| read | ${KIND_NAMES.join(" | ")} |\n| --- |${" --: |".repeat(KIND_NAMES.length)}`);
      for (const { name, most } of READS) {
        const read = readsOf(seeded).find((each) => each.name === name);
        if (read === undefined) throw new Error(`There is no read ${name}.`);
        const sent = requestOf("service", read);
        const turn = async (kind: KindName, requests: number) => {
          await switchTo(side, kind);
          const before = await cpuMsOf(side.pid);
          await sendRequests(side, sent, seeded.key, requests);
          await setTimeout(SENT_MS);
          return ((await cpuMsOf(side.pid)) - before) / requests;
        };
        for (const kind of KIND_NAMES) await turn(kind, WARM_UP_REQUESTS);
        const costs = new Map<KindName, number[]>(KIND_NAMES.map((kind) => [kind, []]));
        const quotients = new Map<KindName, number[]>(KIND_NAMES.map((kind) => [kind, []]));
        for (let round = 0; round < rounds; round += 1) {
          const costOf = new Map<KindName, number>();
          // In another order each time, so that each follows each of the others.
          for (const index of KIND_NAMES.keys()) {
            const kind = KIND_NAMES[(index + round) % KIND_NAMES.length];
            if (kind !== undefined) costOf.set(kind, await turn(kind, REQUESTS));
          }
          // Compares within one round, because the machine changes.
          const off = ((costOf.get("off") ?? Number.NaN) + (costOf.get("off again") ?? Number.NaN)) / 2;
          for (const [kind, ms] of costOf) {
            costs.get(kind)?.push(ms);
            quotients.get(kind)?.push(ms / off);
          }
        }
        const cells = KIND_NAMES.map((kind) => {
          const [low, , high] = quartiles(quotients.get(kind)).map(percent);
          const [, ms = Number.NaN] = quartiles(costs.get(kind));
          return `${ms.toFixed(3)} ms, ${percent(middle(quotients.get(kind)))} (${low} to ${high})`;
        });
        console.log(`| ${[name, ...cells].join(" | ")} |`);
        const traced = middle(quotients.get(MEASURED));
        // Not `>`, which is false if it is not a number.
        if (!(traced <= most)) missed.push(`${name}: ${percent(traced)}, at most ${percent(most)}`);
      }
      console.log(`The collector received ${Math.round(collector.received() / 1_000)} kB.`);
      if (collector.received() === 0) missed.push("the collector received no span");
      for (const bound of missed) console.log(`Missed: ${bound}`);
      return missed.length === 0;
    } finally {
      await side.stop();
      await collector.stop();
    }
  });
}

async function switchTo({ child }: Side, kind: KindName): Promise<void> {
  const switched = once(child, "message");
  child.send({ kind } satisfies Switch);
  await switched;
}

/** The mean of the middle half: it varies less than the median, and no turn that another process disturbed counts. */
function middle(values: readonly number[] = []): number {
  const cut = Math.floor(values.length / 4);
  const kept = values.toSorted((one, other) => one - other).slice(cut, values.length - cut);
  return kept.reduce((sum, value) => sum + value, 0) / kept.length;
}

function quartiles(values: readonly number[] = []): readonly number[] {
  const sorted = values.toSorted((one, other) => one - other);
  return [0.25, 0.5, 0.75].map((share) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN);
}

function percent(quotient = Number.NaN): string {
  return `${quotient >= 1 ? "+" : ""}${((quotient - 1) * 100).toFixed(1)} %`;
}

const { values } = parseArgs({ options: { rounds: { type: "string", default: "60" } } });
process.exitCode = (await main(Number(values.rounds))) ? 0 : 1;
