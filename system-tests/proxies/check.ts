/**
 * Malformed requests of a caller behind each proxy of `deploy/`, with two api processes:
 *
 *     pnpm test:system proxies [--seconds 30] [--leaving 3] [--entry NAME …]
 *
 * 20 of them a second must not change what another caller gets: no 5xx, a median of at most twice the idle one, and both
 * processes stay in service. No proxy answers the probes from outside. A proxy whose Debian package is missing is skipped by name.
 *
 * Then 400 connections send requests to each entry point, and leave before the answer, for `--leaving` seconds each; also without
 * a proxy. Others' median is at most three times the idle one, nothing fails, both processes stay ready, the log has at most 60
 * more lines, and the database is idle two seconds after the end.
 */
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { type IncomingMessage, Agent as PlainAgent, request as plainRequest } from "node:http";
import { Agent, request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { connect } from "node:tls";
import { parseArgs } from "node:util";
import type { ServiceProcess } from "../../packages/testkit/src/harness/serviceProcess.ts";
import { withTemporaryDatabase } from "../../packages/testkit/src/harness/temporaryDatabase.ts";
import { runStatement } from "../../packages/testkit/src/index.ts";
import { createApplicationKey, startApiProcess } from "./apiProcess.ts";
import { checkLeaving, type LeavingPlan } from "./leaving.ts";
import { type Malformed, malformedRequests } from "./malformed.ts";
import { PROXIES, type ProxyKind, type RunningProxy } from "./proxies.ts";

const MALFORMED_PER_SECOND = 20;
const MOST_SLOWDOWN = 2;
const IDLE_SECONDS = 10;
const PAUSE_MS = 20;
/** How long a client of a malformed request waits. */
const LEAVES_AFTER_MS = 3_000;
/** Each process must have served others in each part of the flood. */
const PARTS = 5;

async function main(
  seconds: number,
  leavingSeconds: number,
  only: readonly string[] | null,
): Promise<readonly string[]> {
  return withTemporaryDatabase(async (database) => {
    const url = database.url("postgres");
    const apis: ServiceProcess[] = [];
    try {
      for (const _ of [1, 2]) apis.push(await startApiProcess(url, { TRUSTED_PROXIES: "127.0.0.1" }));
      const key = await createApplicationKey(url, "other");
      const problems: string[] = [];
      const leaving = { apis, seconds: leavingSeconds, only, countStatements: () => countStatements(url) };
      for (const { port } of apis.slice(0, 1)) {
        const direct = { port, host: `127.0.0.1:${port}`, isPlain: true };
        const callDirectly = (forSeconds: number) => callFor(direct, key, forSeconds);
        const idle = median((await callDirectly(IDLE_SECONDS)).times);
        const target = { port, tlsName: null };
        const plan = { ...leaving, name: "direct", target, host: direct.host, callFor: callDirectly };
        problems.push(...(await checkLeaving(plan, idle)));
      }
      for (const kind of PROXIES) {
        if (kind.isInstalled) problems.push(...(await check(kind, apis, key, seconds, leaving)));
        else console.log(`SKIPPED: ${kind.name}, because the Debian package ${kind.debianPackage} is not installed`);
      }
      return problems;
    } finally {
      for (const api of apis) await api.stop();
    }
  });
}

async function check(
  kind: ProxyKind,
  apis: readonly ServiceProcess[],
  key: string,
  seconds: number,
  leaving: Pick<LeavingPlan, "apis" | "seconds" | "only" | "countStatements">,
): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "social-connect-proxy-"));
  const [first, second] = apis.map(({ port }) => port) as [number, number];
  const proxy = await startServing(kind, folder, [first, second], key);
  try {
    const idle = await callFor(proxy, key, IDLE_SECONDS);
    const problems: string[] = [];
    for (const path of ["/healthz", "/readyz"]) {
      const status = await statusOf(proxy, path);
      if (status !== 404) problems.push(`${kind.name}: answered ${path} from outside with ${status}`);
    }
    const flooding = new AbortController();
    const flooded = flood(proxy, flooding.signal);
    const during: Called = { times: [], failures: [] };
    for (let part = 0; part < PARTS; part += 1) {
      const before = await Promise.all(apis.map(callsServed));
      const { times, failures } = await callFor(proxy, key, seconds / PARTS);
      during.times.push(...times);
      during.failures.push(...failures);
      const after = await Promise.all(apis.map(callsServed));
      if (after.some((calls, index) => calls <= (before[index] ?? 0)))
        problems.push(`${kind.name}: a process served no call in a part of the flood`);
    }
    flooding.abort();
    const sent = await flooded;
    const [before, under] = [median(idle.times), median(during.times)];
    console.log(
      `${kind.name}: ${sent} malformed requests; others: ${before.toFixed(1)} ms idle, ${under.toFixed(1)} ms during ` +
        `(${(under / before).toFixed(2)} times), ${during.times.length} calls, ${during.failures.length} failed`,
    );
    if (under > MOST_SLOWDOWN * before) problems.push(`${kind.name}: others are more than twice as slow`);
    for (const failure of new Set([...idle.failures, ...during.failures])) problems.push(`${kind.name}: ${failure}`);
    if (sent < (seconds * MALFORMED_PER_SECOND) / 2) problems.push(`${kind.name}: only ${sent} were sent`);
    const host = hostOf(proxy);
    const target = { port: proxy.port, tlsName: proxy.host };
    const call = (forSeconds: number) => callFor(proxy, key, forSeconds);
    problems.push(...(await checkLeaving({ ...leaving, name: kind.name, target, host, callFor: call }, before)));
    return problems;
  } finally {
    await proxy.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Called {
  readonly times: number[];
  readonly failures: string[];
}

/** Counts statements of the api processes, and open transactions. */
async function countStatements(url: string): Promise<number> {
  const [row] = await runStatement<{ count: number }>(
    url,
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE application_name LIKE 'social-connect api%' AND state IN ('active', 'idle in transaction')`,
  );
  return row?.count ?? 0;
}

/** A proxy, or a process without one. */
type Server = Pick<RunningProxy, "port" | "host"> & { readonly isPlain?: boolean };

function hostOf({ host, port }: Server): string {
  return host.includes("localhost") ? `${host}:${port}` : host;
}

/** Calls one at a time, as another caller. */
async function callFor(proxy: Server, key: string, seconds: number): Promise<Called> {
  const agent = proxy.isPlain
    ? new PlainAgent({ keepAlive: true })
    : new Agent({ keepAlive: true, rejectUnauthorized: false });
  const called: Called = { times: [], failures: [] };
  const end = performance.now() + seconds * 1_000;
  while (performance.now() < end) {
    const begin = performance.now();
    const answer = await call(proxy, key, agent).catch((error: Error) => error.message);
    called.times.push(performance.now() - begin);
    if (answer !== "200") called.failures.push(`another caller got ${answer}`);
    await setTimeout(PAUSE_MS);
  }
  agent.destroy();
  return called;
}

function call(server: Server, key: string, agent: PlainAgent): Promise<string> {
  const { port, host, isPlain = false } = server;
  const body = JSON.stringify({ query: "{ integrationReadiness { idpIdentityAvailable } }" });
  const headers = {
    host: hostOf(server),
    authorization: `Bearer ${key}`,
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body)),
  };
  const options = { host: "127.0.0.1", port, servername: host, path: "/graphql", method: "POST", headers, agent };
  return new Promise((resolve, reject) => {
    const sent = (isPlain ? plainRequest : request)(options, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk) => {
        text += chunk;
      });
      response.once("error", reject).once("end", () => {
        const isData = text.includes('"idpIdentityAvailable":');
        resolve(isData ? String(response.statusCode) : `${response.statusCode} ${text.slice(0, 200)}`);
      });
    });
    sent.setTimeout(20_000, () => sent.destroy(new Error("no response within 20 s")));
    sent.once("error", reject);
    sent.end(body);
  });
}

async function statusOf(proxy: RunningProxy, path: string): Promise<number | undefined> {
  const { host: servername, port } = proxy;
  const headers = { host: hostOf(proxy) };
  const sent = request({ host: "127.0.0.1", port, servername, path, headers, rejectUnauthorized: false }).end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

/** Another program may take the port in between. */
async function startServing(
  kind: ProxyKind,
  folder: string,
  ports: [number, number],
  key: string,
): Promise<RunningProxy> {
  for (let tries = 1; ; tries += 1) {
    const proxy = await kind.start(folder, ports);
    const problem = await untilServed(proxy, key);
    if (problem === null) return proxy;
    await proxy.stop();
    if (tries === 3) throw new Error(`${kind.name} does not serve: ${problem}`);
  }
}

/** The last answer, if it does not serve within some seconds. */
async function untilServed(proxy: RunningProxy, key: string): Promise<string | null> {
  const agent = new Agent({ rejectUnauthorized: false });
  let answer = "nothing";
  for (let tries = 0; tries < 50 && !proxy.hasEnded(); tries += 1) {
    answer = await call(proxy, key, agent).catch((error: Error) => error.message);
    if (answer === "200") return null;
    await setTimeout(200);
  }
  return answer;
}

async function flood(proxy: RunningProxy, signal: AbortSignal): Promise<number> {
  const host = hostOf(proxy);
  const requests = malformedRequests(host);
  const pending = new Set<Promise<void>>();
  let sent = 0;
  for (; !signal.aborted; sent += 1) {
    const malformed = requests[sent % requests.length];
    if (malformed === undefined) break;
    const done = send(proxy, malformed).finally(() => pending.delete(done));
    pending.add(done);
    await setTimeout(1_000 / MALFORMED_PER_SECOND);
  }
  await Promise.all(pending);
  return sent;
}

function send({ port, host }: RunningProxy, { text, then }: Malformed): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1", servername: host, rejectUnauthorized: false }, () => {
      socket.write(text, "latin1", () => {
        if (then === "end") socket.end();
        if (then === "reset") socket.destroy();
      });
    });
    socket.setTimeout(LEAVES_AFTER_MS, () => socket.destroy());
    socket.resume();
    socket.on("error", () => undefined).once("close", () => resolve());
  });
}

/** The served calls of the consumer API, from the process's metrics. */
function callsServed(api: ServiceProcess): Promise<number> {
  return api.readMetric("social_connect_requests_total", { operation: "integrationReadiness" });
}

function median(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[times.length >> 1] ?? Number.NaN;
}

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "30" },
    leaving: { type: "string", default: "3" },
    entry: { type: "string", multiple: true },
  },
});
const problems = await main(Number(values.seconds), Number(values.leaving), values.entry ?? null);
for (const problem of problems) console.error(`PROBLEM: ${problem}`);
process.exitCode = problems.length === 0 ? 0 : 1;
