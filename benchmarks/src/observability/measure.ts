/**
 * What metrics, traces and request lines cost of a hot read: CPU time of the api process, in turns of 200 requests,
 * because the machine changes. Exits with 1 if metrics and traces cost more than 3 %.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { parseArgs } from "node:util";
import { reservePort } from "../../../apps/server/src/platform/ports.ts";
import { withTemporaryDatabase } from "../../../tools/temporaryDatabase.ts";
import { cpuMsOf } from "../reads/cpu.ts";
import { describeMachine } from "../reads/machine.ts";
import { readsOf } from "../reads/reads.ts";
import { seed } from "../reads/seed.ts";
import type { Side } from "../reads/sides.ts";
import { environmentOn, PROGRAMS, requestOf, sendRequests, startSide } from "../reads/sides.ts";

const MOST = 1.03;
/** The read that is bounded; the small one has the largest part of its time outside the read. */
const READS = [
  { name: "content, 50 posts", most: MOST },
  { name: "connection", most: Number.POSITIVE_INFINITY },
] as const;
const WARM_UP_REQUESTS = 3_000;
/** Of a turn. */
const REQUESTS = 200;

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
    const plain = environmentOn(database.url("postgres"));
    const metrics = async () => ({ METRICS_PORT: String(await reservePort()) });
    const traces = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
    const sides: [name: string, side: Side][] = [["off", await startSide(PROGRAMS.service, plain)]];
    try {
      const seeded = await seed(plain.DATABASE_URL);
      for (const [name, extra] of [
        ["metrics", await metrics()],
        ["metrics, traces", { ...(await metrics()), ...traces }],
        ["metrics, each request traced", { ...(await metrics()), ...traces, OTEL_TRACES_SAMPLER: "always_on" }],
        ["request lines", { LOG_LEVEL: "info" }],
        // The control: its difference from the first is that of the measurement.
        ["off again", {}],
      ] as const)
        sides.push([name, await startSide(PROGRAMS.service, { ...plain, ...extra })]);
      const missed: string[] = [];
      console.log(`| read | ${sides.map(([name]) => name).join(" | ")} |\n| --- |${" --: |".repeat(sides.length)}`);
      for (const { name, most } of READS) {
        const read = readsOf(seeded).find((each) => each.name === name);
        if (read === undefined) throw new Error(`There is no read ${name}.`);
        const sent = requestOf("service", read);
        for (const [, side] of sides) await sendRequests(side, sent, seeded.key, WARM_UP_REQUESTS);
        const costs = sides.map((): number[] => []);
        for (let round = 0; round < rounds; round += 1) {
          // In another order each time, so that each follows each of the others.
          for (const index of sides.keys()) {
            const turn = (index + round) % sides.length;
            const side = sides[turn]?.[1];
            if (side !== undefined) costs[turn]?.push(await costOf(side, sent, seeded.key));
          }
        }
        const quiet = costs.map(quietest);
        const off = ((quiet[0] ?? Number.NaN) + (quiet.at(-1) ?? Number.NaN)) / 2;
        const quotients = quiet.map((ms) => ms / off);
        const cells = quiet.map((ms, index) => `${ms.toFixed(3)} ms, ${percent(quotients[index])}`);
        console.log(`| ${[name, ...cells].join(" | ")} |`);
        const traced = quotients[2] ?? Number.NaN;
        // Not `>`, which is false if it is not a number.
        if (!(traced <= most)) missed.push(`${name}: ${percent(traced)}, at most ${percent(most)}`);
      }
      console.log(`The collector received ${Math.round(collector.received() / 1_000)} kB.`);
      if (collector.received() === 0) missed.push("the collector received no span");
      for (const bound of missed) console.log(`Missed: ${bound}`);
      return missed.length === 0;
    } finally {
      await Promise.all(sides.map(([, side]) => side.stop()));
      await collector.stop();
    }
  });
}

/** CPU time per request, in milliseconds. */
async function costOf(side: Side, sent: ReturnType<typeof requestOf>, key: string): Promise<number> {
  const before = await cpuMsOf(side.pid);
  await sendRequests(side, sent, key, REQUESTS);
  return ((await cpuMsOf(side.pid)) - before) / REQUESTS;
}

/** The mean of the quietest quarter: other load makes a turn expensive, and never cheap. */
function quietest(costs: readonly number[]): number {
  const quiet = costs.toSorted((one, other) => one - other).slice(0, Math.ceil(costs.length / 4));
  return quiet.reduce((sum, ms) => sum + ms, 0) / quiet.length;
}

function percent(quotient = Number.NaN): string {
  return `${quotient >= 1 ? "+" : ""}${((quotient - 1) * 100).toFixed(1)} %`;
}

const { values } = parseArgs({ options: { rounds: { type: "string", default: "60" } } });
process.exitCode = (await main(Number(values.rounds))) ? 0 : 1;
