/**
 * The overhead of a call over a bare `fetch` with the same body: CPU time of this process only; the service is a
 * separate process.
 * The two alternate in short rounds, so that other load on the machine affects both. Exits with 1 when a call exceeds
 * its budget.
 *
 *     pnpm benchmark sdk [rounds]
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { SocialConnect, type Subject } from "@social-connect/sdk";

const KEY = `11111111-2222-4333-8444-555555555555.${"c0ffee".repeat(10)}beef`;
const WINDOW = { publishedAfter: "2026-02-01T00:00:00.000Z", publishedBefore: "2026-03-01T00:00:00.000Z" };
/** Microseconds of CPU that a call may cost over a bare `fetch` with the same body. */
const BUDGET_US = 100;
const CALLS_A_ROUND = 40;
const WARM_UP_CALLS = 1_500;

const CASES: Readonly<Record<string, (user: Subject) => Promise<unknown>>> = {
  "one job": (user) => user.job("connection-1", "job-1").poll(),
  "50 posts with 4 numbers each": (user) => user.content("connection-1", WINDOW).page(),
};

async function main(rounds: number): Promise<void> {
  const server = spawn(
    process.execPath,
    ["--conditions=@social-connect/source", fileURLToPath(new URL("server.ts", import.meta.url))],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  try {
    const [port] = await once(server.stdout, "data");
    await compare(`http://127.0.0.1:${String(port).trim()}`, rounds);
  } finally {
    server.kill();
  }
}

async function compare(baseUrl: string, rounds: number): Promise<void> {
  const bodies: string[] = [];
  const recording = clientOf(baseUrl, (url, init) => {
    bodies.push(init.body);
    return fetch(url, init);
  });
  const measured = clientOf(baseUrl);
  for (const [name, call] of Object.entries(CASES)) {
    await call(recording);
    const body = bodies.at(-1) ?? "";
    const bare = () => bareFetch(`${baseUrl}/graphql`, body);
    const sdk = () => call(measured);
    await cpuOf(bare, WARM_UP_CALLS);
    await cpuOf(sdk, WARM_UP_CALLS);
    const costs: { bare: number; sdk: number }[] = [];
    for (let round = 0; round < rounds; round += 1) {
      costs.push({ bare: await cpuOf(bare, CALLS_A_ROUND), sdk: await cpuOf(sdk, CALLS_A_ROUND) });
    }
    report(name, costs);
  }
}

function clientOf(baseUrl: string, fetch?: ConstructorParameters<typeof SocialConnect>[0]["fetch"]): Subject {
  const social = new SocialConnect({ baseUrl, key: KEY, ...(fetch && { fetch }) });
  return social.forSubject({ tenantKey: "acme", externalSubjectId: "user-1" });
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

/** The fastest rounds measure the overhead; the slow rounds include other load on the machine. */
function report(name: string, costs: readonly { bare: number; sdk: number }[]): void {
  const quiet = at(costs, 0.1);
  console.log(`${name}\n  quietest tenth: ${inWords(quiet)}\n  median:         ${inWords(at(costs, 0.5))}`);
  if (quiet.sdk - quiet.bare <= BUDGET_US) return;
  console.log(`  This is above the budget of ${BUDGET_US} µs.`);
  process.exitCode = 1;
}

/** The overhead below which this share of the rounds is. */
function at(costs: readonly { bare: number; sdk: number }[], part: number) {
  const of = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? 0;
  return { bare: of(costs.map(({ bare }) => bare)), sdk: of(costs.map(({ sdk }) => sdk)) };
}

function inWords({ bare, sdk }: { bare: number; sdk: number }): string {
  return `bare ${bare.toFixed(0)} µs, SDK ${sdk.toFixed(0)} µs, over it ${(sdk - bare).toFixed(0)} µs`;
}

await main(Number(process.argv[2] ?? 100));
