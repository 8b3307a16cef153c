/**
 * CPU time of a call of the SDK in this process, beside that of a bare `fetch` with the same body; the service is a separate
 * process. They alternate in short rounds, so that other load on the machine affects all. Exits with 1 when a call costs more
 * than twice the `fetch`, or 5 % more than the SDK that was built in another checkout.
 *
 *     pnpm benchmark sdk
 *     pnpm benchmark sdk /path/to/another/checkout
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { SocialConnect, type SocialConnectOptions, type Subject } from "@social-connect/sdk";

const KEY = `11111111-2222-4333-8444-555555555555.${"c0ffee".repeat(10)}beef`;
const WINDOW = { publishedAfter: "2026-02-01T00:00:00.000Z", publishedBefore: "2026-03-01T00:00:00.000Z" };
/** What a call may cost at most: times a bare `fetch`, and times the call of another checkout. */
const MOST = { fetch: 2, other: 1.05 };
const ROUNDS = 100;
const CALLS_A_ROUND = 40;
const WARM_UP_CALLS = 1_500;

const CASES: Readonly<Record<string, (user: Subject) => Promise<unknown>>> = {
  "one job": (user) => user.job("connection-1", "job-1").poll(),
  "50 posts with 4 numbers each": (user) => user.content("connection-1", WINDOW).page(),
};

async function main(checkout: string | undefined): Promise<void> {
  const execArgv = ["--conditions=@social-connect/source"];
  using server = fork(fileURLToPath(new URL("server.ts", import.meta.url)), { execArgv });
  const [port] = await once(server, "message");
  const build = checkout && pathToFileURL(join(checkout, "packages/sdk/dist/index.js")).href;
  await compare(`http://127.0.0.1:${port}`, build ? (await import(build)).SocialConnect : null);
}

async function compare(baseUrl: string, Other: typeof SocialConnect | null): Promise<void> {
  const subjectOf = (Sdk: typeof SocialConnect, options?: Pick<SocialConnectOptions, "fetch">) =>
    new Sdk({ baseUrl, key: KEY, ...options }).forSubject({ tenantKey: "acme", externalSubjectId: "user-1" });
  let body = "";
  const recording = subjectOf(SocialConnect, {
    fetch: (url, init) => {
      body = init.body;
      return fetch(url, init);
    },
  });
  const [measured, other] = [subjectOf(SocialConnect), Other && subjectOf(Other)];
  for (const [name, call] of Object.entries(CASES)) {
    await call(recording);
    const calls = {
      fetch: () => bareFetch(`${baseUrl}/graphql`, body),
      ...(other && { other: () => call(other) }),
      SDK: () => call(measured),
    };
    for (const run of Object.values(calls)) await cpuOf(run, WARM_UP_CALLS);
    const costs: Costs[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const cost: Record<string, number> = {};
      for (const [side, run] of Object.entries(calls)) cost[side] = await cpuOf(run, CALLS_A_ROUND);
      costs.push(cost);
    }
    report(name, costs);
  }
}

async function bareFetch(url: string, body: string): Promise<unknown> {
  const headers = { accept: "application/json", "content-type": "application/json", authorization: `Bearer ${KEY}` };
  const response = await fetch(url, { method: "POST", headers, body });
  return response.json();
}

/** Microseconds of CPU per call, user and system. */
async function cpuOf(run: () => Promise<unknown>, calls: number): Promise<number> {
  const before = process.cpuUsage();
  for (let call = 0; call < calls; call += 1) await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
}

/** By side, in microseconds. */
type Costs = Readonly<Record<string, number>>;

/** The fastest rounds measure the cost; the slow rounds include other load on the machine. */
function report(name: string, costs: readonly Costs[]): void {
  const quiet = (side: string) =>
    costs.map((cost) => cost[side] ?? Number.NaN).toSorted((a, b) => a - b)[Math.floor(costs.length / 10)] ??
    Number.NaN;
  const own = quiet("SDK");
  console.log(`${name}: ${own.toFixed(0)} µs in the quietest tenth`);
  for (const [side, most] of Object.entries(MOST)) {
    const times = own / quiet(side);
    if (Number.isNaN(times)) continue;
    console.log(`  ${times.toFixed(2)} times ${side} (${quiet(side).toFixed(0)} µs), at most ${most}`);
    if (times > most) process.exitCode = 1;
  }
}

await main(process.argv[2]);
