/**
 * Malformed requests of a caller behind each proxy of `deploy/`, with two api processes: `SWEEP=all pnpm test:system proxies`.
 *
 * 20 of them a second must not change what another caller gets: no 5xx, a median of at most twice the idle one, and both
 * processes stay in service. No proxy answers the probes from outside. A proxy whose Debian package is missing is skipped by name.
 *
 * Then 400 connections send requests to each entry point, and leave before the answer; also without a proxy. Others' median is
 * at most three times the idle one, nothing fails, both processes stay ready, the log has at most 60 more lines, and the database
 * is idle two seconds after the end.
 */
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { type IncomingMessage, Agent as PlainAgent, request as plainRequest } from "node:http";
import { Agent, request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { connect } from "node:tls";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { ServiceProcess } from "../../packages/testkit/src/harness/serviceProcess.ts";
import { runStatement, SWEEPS_ALL, testDatabase } from "../../packages/testkit/src/index.ts";
import { createApplicationKey, startApiProcess } from "./apiProcess.ts";
import { checkLeaving } from "./leaving.ts";
import { type Malformed, malformedRequests } from "./malformed.ts";
import { PROXIES, type ProxyKind, type RunningProxy } from "./proxies.ts";

const SECONDS = 30;
const MALFORMED_PER_SECOND = 20;
const MOST_SLOWDOWN = 2;
const IDLE_SECONDS = 10;
const PAUSE_MS = 20;
/** How long a client of a malformed request waits. */
const LEAVES_AFTER_MS = 3_000;
/** Each process must have served others in each part of the flood. */
const PARTS = 5;
/** Ends hangs: callers leave each entry point for half a minute. */
const HANGS_AFTER_MS = 3_600_000;

describe.runIf(SWEEPS_ALL)("two api processes serve others", () => {
  let url: string;
  let key: string;
  const apis: ServiceProcess[] = [];

  beforeAll(async () => {
    const database = await testDatabase();
    ({ url } = database);
    for (const _ of [1, 2]) apis.push(await startApiProcess(url, { TRUSTED_PROXIES: "127.0.0.1" }));
    key = await createApplicationKey(url, "other");
    return database.drop;
  });
  afterAll(async () => {
    for (const api of apis) await api.stop();
  });

  /** What is wrong while callers leave each entry point. */
  function problemsOfLeaving(name: string, server: Server, idleMs: number): Promise<string[]> {
    const target = { port: server.port, tlsName: server.isPlain ? null : server.host };
    const call = (seconds: number) => callFor(server, key, seconds);
    const countStatements = () => countStatementsAt(url);
    const plan = { name, target, host: hostOf(server), apis, seconds: SECONDS, callFor: call, countStatements };
    return checkLeaving(plan, idleMs);
  }

  test("while callers leave", { timeout: HANGS_AFTER_MS }, async () => {
    const port = apis[0]?.port ?? Number.NaN;
    const direct = { port, host: `127.0.0.1:${port}`, isPlain: true };
    const idle = await callFor(direct, key, IDLE_SECONDS);
    expect(await problemsOfLeaving("direct", direct, median(idle.times))).toEqual([]);
  });

  describe.each(PROXIES)("behind $name", (kind) => {
    test.skipIf(!kind.isInstalled)(
      `during malformed requests, and while callers leave (Debian package ${kind.debianPackage})`,
      { timeout: HANGS_AFTER_MS },
      async () => {
        const folder = await mkdtemp(join(tmpdir(), "social-connect-proxy-"));
        onTestFinished(() => rm(folder, { recursive: true, force: true }));
        const [first, second] = apis.map(({ port }) => port) as [number, number];
        const proxy = await startServing(kind, folder, [first, second], key);
        onTestFinished(() => proxy.stop());
        const idle = await callFor(proxy, key, IDLE_SECONDS);
        const problems: string[] = [];
        for (const path of ["/healthz", "/readyz"]) {
          const status = await statusOf(proxy, path);
          if (status !== 404) problems.push(`answered ${path} from outside with ${status}`);
        }
        const flooding = new AbortController();
        const flooded = flood(proxy, flooding.signal);
        const during: Called = { times: [], failures: [] };
        for (let part = 0; part < PARTS; part += 1) {
          const before = await Promise.all(apis.map(callsServed));
          const { times, failures } = await callFor(proxy, key, SECONDS / PARTS);
          during.times.push(...times);
          during.failures.push(...failures);
          const after = await Promise.all(apis.map(callsServed));
          if (after.some((calls, index) => calls <= (before[index] ?? 0)))
            problems.push("a process served no call in a part of the flood");
        }
        flooding.abort();
        const sent = await flooded;
        const [before, under] = [median(idle.times), median(during.times)];
        console.log(
          `${kind.name}: ${sent} malformed requests; others: ${before.toFixed(1)} ms idle, ${under.toFixed(1)} ms during ` +
            `(${(under / before).toFixed(2)} times), ${during.times.length} calls, ${during.failures.length} failed`,
        );
        if (under > MOST_SLOWDOWN * before) problems.push("others are more than twice as slow");
        problems.push(...new Set([...idle.failures, ...during.failures]));
        if (sent < (SECONDS * MALFORMED_PER_SECOND) / 2) problems.push(`only ${sent} were sent`);
        problems.push(...(await problemsOfLeaving(kind.name, proxy, before)));
        expect(problems).toEqual([]);
      },
    );
  });
});

interface Called {
  readonly times: number[];
  readonly failures: string[];
}

/** Counts statements of the api processes, and open transactions. */
async function countStatementsAt(url: string): Promise<number> {
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
