import { json } from "node:stream/consumers";
import type { RunningSimulator } from "@social-connect/simulator";
import { eventually, type LocalServer, serve } from "@social-connect/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ServiceProcess, startProcess } from "../cli/testing/commandLine.ts";
import { query } from "../http/testing/testServer.ts";
import { visit } from "../http/testing/visits.ts";
import { simulateProviderA } from "../worker/testing/atSimulator.ts";
import { type RealTimeService, startRealTimeService } from "../worker/testing/realTimeService.ts";
import { linkAccount } from "./testing/linkAccount.ts";
import { parsePrometheus, sumIn, valueIn } from "./testing/prometheusText.ts";

/** A span as OTLP/HTTP sends it in JSON. */
interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
  readonly status: { readonly code?: number; readonly message?: string };
  /** The role of the resource that sent it. */
  readonly role: string;
}

/** What OTLP/HTTP sends. */
interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: Pick<ReceivedSpan, "attributes">;
    readonly scopeSpans: readonly { readonly spans: readonly Omit<ReceivedSpan, "role">[] }[];
  }[];
}

/** A collector of traces on loopback, which keeps what it receives. */
async function startCollector(): Promise<LocalServer & { readonly spans: ReceivedSpan[] }> {
  const spans: ReceivedSpan[] = [];
  const server = await serve(async (request, response) => {
    if (request.method !== "POST" || request.url !== "/v1/traces") return void response.writeHead(404).end();
    const { resourceSpans } = (await json(request)) as Sent;
    for (const { resource, scopeSpans } of resourceSpans) {
      const role = String(attributeOf(resource.attributes, "social_connect.role"));
      for (const { spans: sent } of scopeSpans) for (const span of sent) spans.push({ ...span, role });
    }
    response.setHeader("content-type", "application/json").end("{}");
  });
  return { ...server, spans };
}

function attributeOf(attributes: ReceivedSpan["attributes"], name: string): unknown {
  const found = attributes.find(({ key }) => key === name);
  return found && Object.values(found.value)[0];
}

/** An api and a worker as their commands start them, at the simulator, with a collector of traces. */
const PROVIDER = "PROVIDER_A";
/** Values that must not leave the service: of a person, or secret. */
const MARKED = { externalSubjectId: "canary-subject", clientSecret: "canary-client-secret" };

interface Line {
  readonly msg: string;
  readonly correlationId?: string;
  readonly [field: string]: unknown;
}

let real: RealTimeService;
let simulator: RunningSimulator;
let collector: Awaited<ReturnType<typeof startCollector>>;
let api: ServiceProcess;
let worker: ServiceProcess;
/** The secrets that were used to link the account. */
let secrets: readonly string[];
const processes: ServiceProcess[] = [];

async function start(role: "api" | "worker", options: readonly string[] = []): Promise<ServiceProcess> {
  const environment = {
    DATABASE_URL: real.databaseUrl,
    ENCRYPTION_KEYS: `test:${real.secretKey}`,
    PUBLIC_URL: real.service.connectHost,
    LOG_LEVEL: "debug",
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    OTEL_TRACES_SAMPLER: "always_on",
    OTEL_BSP_SCHEDULE_DELAY: "100",
  };
  const started = await startProcess(role, environment, { options });
  processes.push(started);
  return started;
}

beforeAll(async () => {
  real = await startRealTimeService();
  collector = await startCollector();
  simulator = await simulateProviderA(real, MARKED.clientSecret);
  [api, worker] = await Promise.all([start("api"), start("worker")]);
  secrets = Object.values(await linkAccount(real, api.url, MARKED.externalSubjectId));
});
afterAll(async () => {
  for (const process of processes) await process.stop();
  await simulator?.close();
  await collector?.close();
  await real?.base.close();
});

function linesOf({ output }: ServiceProcess): Line[] {
  return output.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line) as Line);
}

test("an id leads from the browser's callback through the job to the calls of the provider, in logs and in one trace", async () => {
  const callback = await eventually(() => {
    const found = linesOf(api).find(({ operation }) => operation === "connect.callback");
    return found ?? expect.fail("the callback is not logged");
  });
  const { correlationId = "" } = callback;
  expect(callback).toMatchObject({ level: "info", msg: "request", surface: "browser", code: "OK" });

  // The row.
  const jobs = await real.service.prisma.job.findMany({ where: { correlationId }, orderBy: { kind: "asc" } });
  expect(jobs.map(({ kind }) => kind).toSorted()).toEqual(["PROFILE", "SCAN"]);

  // The worker's log.
  const ofId = () => linesOf(worker).filter((line) => line.correlationId === correlationId);
  await eventually(() => expect(ofId().filter(({ msg }) => msg === "job succeeded")).toHaveLength(2));
  const scan = ofId().find(({ kind }) => kind === "SCAN");
  const application = real.application.id;
  const attempt = { level: "info", provider: PROVIDER, applicationId: application, status: "SUCCEEDED", attempt: 1 };
  expect(scan).toMatchObject({ ...attempt, waitReason: null, durationMs: expect.any(Number) });
  const calls = ofId().filter(({ msg }) => msg === "provider call");
  expect(calls.length).toBeGreaterThan(1);
  expect(calls[0]).toMatchObject({ level: "debug", provider: PROVIDER, endpoint: "api", status: 200, result: "ok" });
  // The exchange of the code was a call of the api.
  const exchange = linesOf(api).find(({ endpoint }) => endpoint === "token");
  expect(exchange).toMatchObject({ msg: "provider call", correlationId, result: "ok" });

  // The trace.
  const begin = await eventually(() => {
    const found = collector.spans.find(({ attributes }) => attributeOf(attributes, "correlation.id") === correlationId);
    return found ?? expect.fail("the callback has no span");
  });
  const traced = () => collector.spans.filter(({ traceId }) => traceId === begin.traceId);
  const named = (role: string, name: string) => traced().filter((span) => span.role === role && span.name === name);
  await eventually(() => {
    expect(named("worker", "job SCAN")).toHaveLength(1);
    expect(named("worker", "PROVIDER_A api").length).toBe(calls.length);
  });
  expect(begin).toMatchObject({ role: "api", name: "browser connect.callback" });
  expect(named("api", "PROVIDER_A token")).toHaveLength(1);
  const [call] = named("worker", "PROVIDER_A api");
  expect(ancestors(call)).toEqual([expect.stringMatching(/^job (SCAN|PROFILE)$/), "browser connect.callback"]);
  // Statements have our names.
  expect(named("worker", "take-quota-unit-of-share").length).toBeGreaterThan(0);
  expect(named("api", "INSERT connection").length).toBeGreaterThan(0);

  // No line, span or metric contains personal data or a secret.
  const connection = await real.service.prisma.connection.findFirstOrThrow({ where: { tenantKey: "tenant-1" } });
  const { displayName, handle, providerAccountId } = connection;
  const posts = await real.service.prisma.contentItem.findMany({ where: { connectionId: connection.id } });
  const personal = [displayName, handle, providerAccountId, posts[0]?.title, posts[0]?.providerContentId];
  const forbidden = [...secrets, ...Object.values(MARKED), real.application.key.split(".")[1], ...personal];
  const everywhere = [
    ...api.output,
    ...worker.output,
    JSON.stringify(collector.spans),
    await (await fetch(`${api.operations}/metrics`)).text(),
    await (await fetch(`${worker.operations}/metrics`)).text(),
  ].join("\n");
  expect(forbidden.filter((each) => each == null || each === "")).toEqual([]);
  expect(forbidden.filter((each) => everywhere.includes(each ?? ""))).toEqual([]);
  // No URL has a query.
  expect(everywhere).not.toMatch(/https?:\/\/[^\s"]*\?/);
});

function ancestors(span: ReceivedSpan | undefined): string[] {
  const parent = collector.spans.find(({ spanId }) => spanId === span?.parentSpanId);
  return parent === undefined ? [] : [parent.name, ...ancestors(parent)];
}

test("api and worker serve metrics, liveness and readiness on a separate port", async () => {
  const scrape = async ({ operations }: ServiceProcess) =>
    parsePrometheus(await (await fetch(`${operations}/metrics`)).text());
  for (const each of [api, worker]) {
    expect((await fetch(`${each.operations}/livez`)).status).toBe(200);
    expect((await fetch(`${each.operations}/graphql`)).status).toBe(404);
    const shown = await scrape(each);
    expect(valueIn(shown, "social_connect_ready")).toBe(1);
    expect(valueIn(shown, "social_connect_state_read")).toBe(1);
    expect(valueIn(shown, "social_connect_grants", { status: "ACTIVE" })).toBe(1);
    expect(valueIn(shown, "social_connect_database_connections_max", { pool: "writes" })).toBe(10);
    expect(valueIn(shown, "social_connect_event_loop_delay_seconds", { quantile: "0.99" })).toBeGreaterThanOrEqual(0);
  }
  const [ofApi, ofWorker] = [await scrape(api), await scrape(worker)];
  const request = { surface: "consumer", operation: "createConnectSession", code: "OK" };
  expect(valueIn(ofApi, "social_connect_requests_total", request)).toBe(1);
  const duration = { surface: "consumer", operation: "createConnectSession" };
  expect(valueIn(ofApi, "social_connect_request_duration_seconds_count", duration)).toBe(1);
  const calls = { provider: PROVIDER, result: "ok" };
  expect(valueIn(ofApi, "social_connect_provider_calls_total", { ...calls, endpoint: "token" })).toBe(1);
  const scan = { kind: "SCAN", provider: PROVIDER, outcome: "SUCCEEDED", wait_reason: "" };
  expect(valueIn(ofWorker, "social_connect_job_attempts_total", scan)).toBe(1);
  expect(valueIn(ofWorker, "social_connect_provider_calls_total", { ...calls, endpoint: "api" })).toBeGreaterThan(1);
  expect(
    valueIn(ofWorker, "social_connect_sweep_last_success_timestamp_seconds", { sweep: "requeueLostTasks" }),
  ).toBeGreaterThan(0);
  const left = { provider: PROVIDER, registration: real.registrations[PROVIDER], budget: "client" };
  expect(valueIn(ofWorker, "social_connect_provider_quota_units_left", left)).toBeLessThanOrEqual(10_000);
});

test("several processes behind one port are one scrape, with a label for each", async () => {
  const two = await start("api", ["--processes", "2"]);
  const calls = Array.from({ length: 10 }, () => query(two, real.application.key, "{ status { ok } }"));
  for (const { status } of await Promise.all(calls)) expect(status).toBe(200);
  const shown = parsePrometheus(await (await fetch(`${two.operations}/metrics`)).text());
  expect(sumIn(shown, "social_connect_requests_total")).toBe(10);
  for (const process of ["1", "2"]) expect(valueIn(shown, "social_connect_ready", { process })).toBe(1);
  // The state of the database is that of all, so one process reads it.
  expect(valueIn(shown, "social_connect_grants", { status: "ACTIVE" })).toBe(1);
});

test("a backend's trace continues in the service, a browser's does not", async () => {
  const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
  const callbacks = () => collector.spans.filter(({ name }) => name === "browser connect.callback").length;
  await eventually(() => expect(callbacks()).toBe(1));
  const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01`, "content-type": "application/json" };
  const body = JSON.stringify({ query: "{ status { ok } }" });
  await fetch(`${api.url}/graphql`, { method: "POST", headers, body });
  await visit(`${api.url}/api/connect/callback/provider-a`, "", headers);
  await eventually(() => {
    const names = collector.spans.filter((span) => span.traceId === traceId).map(({ name }) => name);
    expect(names).toContain("consumer status");
    expect(callbacks()).toBe(2);
    expect(names).not.toContain("browser connect.callback");
  });
});

test("a trace continues by the rules of W3C Trace Context", async () => {
  const span = "00f067aa0ba902b7";
  const parents: readonly (readonly [continues: boolean, traceparent: (traceId: string) => string])[] = [
    [true, (traceId) => `00-${traceId}-${span}-03`],
    [true, (traceId) => `01-${traceId}-${span}-01`],
    [true, (traceId) => `01-${traceId}-${span}-01-what-a-later-version-adds`],
    [false, (traceId) => `ff-${traceId}-${span}-01`],
    [false, (traceId) => `00-${traceId}-${span}-01-more`],
    [false, (traceId) => `00-${traceId}-${"0".repeat(16)}-01`],
    [false, (traceId) => `00-${traceId.toUpperCase()}-${span}-01`],
    // The last, so that the others have arrived before it.
    [true, (traceId) => `00-${traceId}-${span}-01`],
  ];
  const sent = parents.map(([continues, write], index) => {
    const traceId = `abcdef${String(index).padStart(26, "0")}`;
    return { continues, traceId, traceparent: write(traceId) };
  });
  const body = JSON.stringify({ query: "{ status { ok } }" });
  for (const { traceparent } of sent) {
    const headers = { traceparent, tracestate: "vendor=1", "content-type": "application/json" };
    expect((await fetch(`${api.url}/graphql`, { method: "POST", headers, body })).status).toBe(200);
  }
  const spansOf = (id: string) =>
    collector.spans.filter(({ traceId, name }) => traceId === id && name === "consumer status");
  await eventually(() => expect(spansOf(sent.at(-1)?.traceId ?? "")).toHaveLength(1));
  for (const { continues, traceId, traceparent } of sent) {
    expect(
      spansOf(traceId).map(({ parentSpanId }) => parentSpanId),
      traceparent,
    ).toEqual(continues ? [span] : []);
  }
});
