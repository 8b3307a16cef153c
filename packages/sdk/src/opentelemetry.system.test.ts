/** With the OpenTelemetry SDK and its in-memory exporters, over real HTTP. */
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { context, metrics, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { SocialConnect, type SocialConnectOptions } from "@social-connect/sdk";
import { type OpenTelemetryProviders, withOpenTelemetry } from "@social-connect/sdk/opentelemetry";
import { expectNoneOf } from "@social-connect/sdk-core/testing/canaries";
import { listening } from "@social-connect/sdk-core/testing/servers";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished } from "vitest";
import { createClient } from "./snippets/tracing.ts";
import { connectionLost, fakeApi, fakeClient, KEY, type Replies, refusal, SCOPE } from "./testing/fakeApi.ts";
import { connection } from "./testing/samples.ts";

const spans = new InMemorySpanExporter();
const durations = new InMemoryMetricExporter(AggregationTemporality.DELTA);
const reader = new PeriodicExportingMetricReader({ exporter: durations, exportIntervalMillis: 3_600_000 });
const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
const meterProvider = new MeterProvider({ readers: [reader] });
const providers = { tracerProvider, meterProvider };

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(tracerProvider);
  metrics.setGlobalMeterProvider(meterProvider);
});
beforeEach(() => {
  spans.reset();
  durations.reset();
});
afterEach(async () => {
  await meterProvider.forceFlush();
});
afterAll(async () => {
  context.disable();
  propagation.disable();
  trace.disable();
  metrics.disable();
  await meterProvider.shutdown();
});

/** A service over HTTP that answers readiness, and records the headers of each request. */
async function startService() {
  const headers: NodeJS.Dict<string | string[]>[] = [];
  const { url, close } = await listening(
    createServer(async (request, response) => {
      headers.push(request.headers);
      await text(request);
      const data = { integrationReadiness: { providers: [], idpIdentityAvailable: false } };
      response.setHeader("content-type", "application/json").end(JSON.stringify({ data }));
    }),
  );
  onTestFinished(close);
  return { url, headers };
}

interface Observed extends Replies {
  readonly onFetch?: () => void;
  readonly client?: Partial<SocialConnectOptions>;
}

/** A client of a fake service whose requests are recorded. */
function observed({ onFetch, client = {}, ...replies }: Observed, ownProviders: OpenTelemetryProviders = providers) {
  const api = fakeApi(replies);
  const fetch: typeof api.fetch = (url, init) => {
    onFetch?.();
    return api.fetch(url, init);
  };
  const { hooks } = client;
  const options = {
    baseUrl: "https://sandbox.example.com",
    key: KEY,
    fetch,
    ...(hooks === undefined ? {} : { hooks }),
  };
  return fakeClient(replies, withOpenTelemetry(options, ownProviders)).user;
}

async function recordedDurations() {
  await meterProvider.forceFlush();
  const all = durations.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
  return all.flatMap(({ descriptor, dataPoints }) =>
    dataPoints.map(({ attributes, value }) => ({ name: descriptor.name, unit: descriptor.unit, attributes, value })),
  );
}

it("records a request as a client span with the attributes of HTTP and GraphQL, and its duration", async () => {
  const { url } = await startService();
  await createClient(url, KEY).readiness();
  const attributes = {
    "http.request.method": "POST",
    "http.response.status_code": 200,
    "server.address": "127.0.0.1",
    "server.port": Number(new URL(url).port),
    "graphql.operation.name": "integrationReadiness",
    "graphql.operation.type": "query",
  };
  expect(spans.getFinishedSpans()).toHaveLength(1);
  const [span] = spans.getFinishedSpans();
  expect(span).toMatchObject({
    name: "query integrationReadiness",
    kind: SpanKind.CLIENT,
    status: { code: SpanStatusCode.UNSET },
    instrumentationScope: { name: "@social-connect/sdk" },
  });
  expect(span?.attributes).toEqual({ ...attributes, "url.full": `${url}/graphql` });
  expect(await recordedDurations()).toEqual([
    { name: "http.client.request.duration", unit: "s", attributes, value: expect.objectContaining({ count: 1 }) },
  ]);
});

it("records the same for a client of the environment, whose server it learns from the request", async () => {
  const { url } = await startService();
  const env = { SOCIAL_CONNECT_URL: url, SOCIAL_CONNECT_KEY: KEY };
  await SocialConnect.fromEnv(withOpenTelemetry({ env }, providers)).readiness();
  const server = { "server.address": "127.0.0.1", "server.port": Number(new URL(url).port) };
  expect(spans.getFinishedSpans()[0]?.attributes).toMatchObject({ ...server, "url.full": `${url}/graphql` });
  expect(await recordedDurations()).toMatchObject([{ attributes: server }]);
  expect(() => SocialConnect.fromEnv({ ...withOpenTelemetry(), env: {} })).toThrow("Set SOCIAL_CONNECT_URL");
});

it("is a child of the active span, and sends its context to the service", async () => {
  const { url, headers } = await startService();
  const social = new SocialConnect(withOpenTelemetry({ baseUrl: url, key: KEY }, providers));
  const parents = ["one", "two"].map((name) => tracerProvider.getTracer("test").startSpan(name));
  // Concurrent calls keep their own parents.
  await Promise.all(
    parents.map((parent) => context.with(trace.setSpan(ROOT_CONTEXT, parent), () => social.readiness())),
  );
  const children = spans.getFinishedSpans();
  expect(children.map(({ parentSpanContext }) => parentSpanContext?.spanId).toSorted()).toEqual(
    parents.map((parent) => parent.spanContext().spanId).toSorted(),
  );
  const sent = children.map((span) => `00-${span.spanContext().traceId}-${span.spanContext().spanId}-01`);
  expect(headers.map(({ traceparent }) => traceparent).toSorted()).toEqual(sent.toSorted());
});

it("sends a request within its span, so that an instrumentation of fetch continues it", async () => {
  const seen: (string | undefined)[] = [];
  const user = observed({
    connection: [connection("c")],
    onFetch: () => seen.push(trace.getActiveSpan()?.spanContext().spanId),
  });
  await user.connection("c");
  expect(seen).toEqual(spans.getFinishedSpans().map((span) => span.spanContext().spanId));
});

it("records each retry, the code of an error and its correlation id", async () => {
  const user = observed({ connection: [connectionLost(), connection("c"), refusal("FORBIDDEN")] });
  await user.connection("c");
  await user.connection("c").catch(() => undefined);
  expect(spans.getFinishedSpans()).toMatchObject([
    {
      status: { code: SpanStatusCode.ERROR, message: "TRANSPORT_FAILED" },
      attributes: { "error.type": "TRANSPORT_FAILED" },
    },
    { status: { code: SpanStatusCode.UNSET }, attributes: { "http.request.resend_count": 1 } },
    {
      status: { code: SpanStatusCode.ERROR },
      attributes: {
        "error.type": "FORBIDDEN",
        "social_connect.correlation_id": "99999999-8888-4777-8666-555555555555",
      },
    },
  ]);
  const types = (await recordedDurations()).map(({ attributes }) => attributes["error.type"]);
  expect(types.toSorted()).toEqual(["FORBIDDEN", "TRANSPORT_FAILED", undefined]);
});

it("records a call that its caller ends, and no error", async () => {
  const stop = new AbortController();
  const user = observed({ connection: [connection("c")], onFetch: () => stop.abort("the visitor left") });
  await expect(user.connection("c", { signal: stop.signal })).rejects.toBe("the visitor left");
  const [span] = spans.getFinishedSpans();
  expect(span?.status).toEqual({ code: SpanStatusCode.UNSET });
  expect(span?.attributes).not.toHaveProperty("error.type");
  expect((await recordedDurations()).map(({ attributes }) => attributes["error.type"])).toEqual([undefined]);
});

it("records nothing that a call carried, and no id of a user or connection", async () => {
  const user = observed({ connection: [connection("connection-of-mara"), refusal("FORBIDDEN")] });
  await user.connection("connection-of-mara");
  await user.connection("connection-of-mara").catch(() => undefined);
  const recorded = [
    ...spans.getFinishedSpans().map(({ name, attributes, events, status }) => ({ name, attributes, events, status })),
    ...(await recordedDurations()),
  ];
  expect(recorded.length).toBeGreaterThan(2);
  expectNoneOf([KEY, ...Object.values(SCOPE), "connection-of-mara"], recorded);
});

it("keeps the caller's hooks and fetch, also when they or telemetry fail", async () => {
  const events: string[] = [];
  const fail = () => {
    throw new Error("telemetry");
  };
  const brokenSpan = { setAttribute: fail, setAttributes: fail, setStatus: fail, end: fail, spanContext: fail };
  const hooks: NonNullable<SocialConnectOptions["hooks"]> = {
    onRequest: ({ operation }) => {
      events.push(`begin ${operation}`);
      return ({ outcome }) => {
        events.push(`end ${outcome}`);
        throw new Error("hook");
      };
    },
    onResponse: ({ outcome }) => void events.push(`response ${outcome}`),
  };
  const user = observed({ connection: [connection("c")], client: { hooks } });
  await user.connection("c");
  expect(events).toEqual(["begin connection", "end OK", "response OK"]);
  for (const startSpan of [fail, () => brokenSpan]) {
    const tracer = { getTracer: () => ({ startSpan }) } as never;
    const other = observed({ connection: [connection("c")] }, { ...providers, tracerProvider: tracer });
    expect(await other.connection("c")).toMatchObject({ id: "c" });
  }
});

it("records spans only, or durations only", async () => {
  const user = observed({ connection: [connection("c")] }, { ...providers, meterProvider: false });
  await user.connection("c");
  expect([spans.getFinishedSpans().length, (await recordedDurations()).length]).toEqual([1, 0]);
  spans.reset();
  const other = observed({ connection: [connection("c")] }, { ...providers, tracerProvider: false });
  await other.connection("c");
  expect([spans.getFinishedSpans().length, (await recordedDurations()).length]).toEqual([0, 1]);
});

it("adds nothing to the main entry point", async () => {
  const bundle = async (file: string) => {
    const entry = fileURLToPath(new URL(file, import.meta.url));
    const { metafile } = await build({
      entryPoints: [entry],
      bundle: true,
      write: false,
      metafile: true,
      format: "esm",
      platform: "node",
      external: ["@opentelemetry/api", "@social-connect/sdk"],
      conditions: ["@social-connect/source"],
    });
    return JSON.stringify(metafile);
  };
  expect(await bundle("index.ts")).not.toContain("opentelemetry");
  // The control: its own entry point has it.
  expect(await bundle("opentelemetry.ts")).toContain("opentelemetry");
});
