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
import { Agent, type RequestOptions, request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { connect } from "node:tls";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { median } from "../../benchmarks/src/results/report.ts";
import type { ServiceProcess } from "../../packages/testkit/src/harness/serviceProcess.ts";
import { readMetric, SWEEPS_ALL } from "../../packages/testkit/src/index.ts";
import { type Deployment, startDeployment } from "../deployment/deployment.ts";
import { checkLeaving } from "./leaving.ts";
import { type Malformed, malformedRequests } from "./malformed.ts";
import { PROXIES, type ProxyKind, startAlone } from "./proxies.ts";

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
  let deployment: Deployment;
  let key: string;

  beforeAll(async () => {
    deployment = await startDeployment({ roles: ["api", "api"], settings: { TRUSTED_PROXIES: "127.0.0.1" } });
    ({ key } = await deployment.operator.createApplication());
  });
  afterAll(() => deployment?.[Symbol.asyncDispose]());

  /** What is wrong while callers leave each entry point. */
  function problemsOfLeaving(name: string, server: Server, idleMs: number): Promise<string[]> {
    const target = { port: server.port, tlsName: server.isPlain ? null : server.host };
    const call = (seconds: number) => callFor(server, key, seconds);
    const countStatements = () => countStatementsOf(deployment);
    const apis = deployment.processes;
    const plan = { name, target, host: hostOf(server), apis, seconds: SECONDS, callFor: call, countStatements };
    return checkLeaving(plan, idleMs);
  }

  test("while callers leave", { timeout: HANGS_AFTER_MS }, async () => {
    const { port } = deployment.api;
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
        const apis = deployment.processes;
        const proxy = await startServing(kind, folder, apis, key);
        onTestFinished(() => proxy.program.stop());
        const idle = await callFor(proxy, key, IDLE_SECONDS);
        const problems: string[] = [];
        for (const path of ["/healthz", "/readyz"]) {
          const { status } = await ask(proxy, { path });
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
async function countStatementsOf({ database }: Deployment): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE application_name LIKE 'social-connect api%' AND state IN ('active', 'idle in transaction')`,
  );
  return rows[0]?.count ?? 0;
}

/** A proxy, or a process without one. */
interface Server {
  readonly port: number;
  readonly host: string;
  readonly isPlain?: boolean;
}

function hostOf({ host, port }: Server): string {
  return host.includes("localhost") ? `${host}:${port}` : host;
}

/** Calls one at a time, as another caller. */
async function callFor(proxy: Server, key: string, seconds: number): Promise<Called> {
  const agent = proxy.isPlain ? new PlainAgent({ keepAlive: true }) : new Agent({ keepAlive: true });
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

async function call(server: Server, key: string, agent: PlainAgent): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const body = JSON.stringify({ query: "{ integrationReadiness { idpIdentityAvailable } }" });
  const { status, text } = await ask(server, { path: "/graphql", method: "POST", headers, agent }, body);
  return text.includes('"idpIdentityAvailable":') ? String(status) : `${status} ${text.slice(0, 200)}`;
}

type Asked = Omit<RequestOptions, "headers"> & { readonly headers?: Readonly<Record<string, string>> };

async function ask(server: Server, { headers, ...options }: Asked, body = "") {
  const { port, host, isPlain = false } = server;
  const to = { host: "127.0.0.1", port, servername: host, headers: { ...headers, host: hostOf(server) } };
  const sent = (isPlain ? plainRequest : request)({ ...to, rejectUnauthorized: false, ...options });
  sent.setTimeout(20_000, () => sent.destroy(new Error("no response within 20 s")));
  sent.end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return { status: response.statusCode, text: await textOf(response) };
}

/** Another program may take the port in between. */
async function startServing(kind: ProxyKind, folder: string, apis: readonly ServiceProcess[], key: string) {
  const [first, second] = apis.map(({ port }) => port) as [number, number];
  const agent = new Agent();
  for (let tries = 1; ; tries += 1) {
    const proxy = await startAlone(kind, folder, [first, second]);
    try {
      await proxy.program.until(async () => (await call(proxy, key, agent)) === "200");
      return proxy;
    } catch (error) {
      await proxy.program.stop().catch(() => undefined);
      if (tries === 3) throw new Error(`${kind.name} does not serve: ${(error as Error).message}`);
    }
  }
}

async function flood(proxy: Server, signal: AbortSignal): Promise<number> {
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

function send({ port, host }: Server, { text, then }: Malformed): Promise<void> {
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
  return readMetric(api, "social_connect_requests_total", { operation: "integrationReadiness" });
}
