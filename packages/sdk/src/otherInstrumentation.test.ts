/** Traces beside instrumentations of HTTP and with other propagators: real requests, and a collector that receives OTLP. */
import type * as Http from "node:http";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { json, text } from "node:stream/consumers";
import { context, propagation, ROOT_CONTEXT, type TextMapPropagator, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  CompositePropagator,
  isTracingSuppressed,
  W3CBaggagePropagator,
  W3CTraceContextPropagator,
} from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { HttpInstrumentation } from "@opentelemetry/instrumentation-http";
import { UndiciInstrumentation } from "@opentelemetry/instrumentation-undici";
import { B3InjectEncoding, B3Propagator } from "@opentelemetry/propagator-b3";
import { BasicTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { SocialConnect, type SocialConnectOptions } from "@social-connect/sdk";
import { withOpenTelemetry } from "@social-connect/sdk/opentelemetry";
import { listening } from "@social-connect/sdk-core/testing/servers";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { KEY } from "./testing/fakeApi.ts";

interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
}

/** The numbers of OTLP. */
const CLIENT = 3;

let provider: BasicTracerProvider;
let collector: Awaited<ReturnType<typeof startCollector>>;
let service: Awaited<ReturnType<typeof startService>>;

async function startCollector() {
  const spans: CollectedSpan[] = [];
  const server = createServer(async (request, response) => {
    const { resourceSpans } = (await json(request)) as {
      resourceSpans: { scopeSpans: { spans: CollectedSpan[] }[] }[];
    };
    spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
    response.setHeader("content-type", "application/json").end("{}");
  });
  return { ...(await listening(server)), spans };
}

/** Answers readiness, and records the values of each header as they arrived. */
async function startService() {
  const received: NodeJS.Dict<string[]>[] = [];
  const server = createServer(async (request, response) => {
    received.push(request.headersDistinct);
    await text(request);
    const data = { integrationReadiness: { providers: [], idpIdentityAvailable: false } };
    response.setHeader("content-type", "application/json").end(JSON.stringify({ data }));
  });
  return { ...(await listening(server)), received };
}

beforeAll(async () => {
  [collector, service] = await Promise.all([startCollector(), startService()]);
  const exporter = new OTLPTraceExporter({ url: `${collector.url}/v1/traces` });
  provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(provider);
  httpInstrumentation.setTracerProvider(provider);
});
beforeEach(() => {
  collector.spans.length = 0;
  service.received.length = 0;
});
afterEach(() => propagation.disable());
afterAll(async () => {
  await provider.shutdown();
  context.disable();
  trace.disable();
  await Promise.all([collector.close(), service.close()]);
});

/** Writes its own two headers only, as the propagator of an error tracker does. */
const ofErrorTracker: TextMapPropagator = {
  inject: (active, carrier, setter) => {
    const span = trace.getSpanContext(active);
    if (span === undefined || isTracingSuppressed(active)) return;
    setter.set(carrier, "sentry-trace", `${span.traceId}-${span.spanId}-1`);
    setter.set(carrier, "baggage", `sentry-trace_id=${span.traceId}`);
  },
  extract: (active) => active,
  fields: () => ["sentry-trace", "baggage"],
};

/** Propagators, and a header of each. */
const PROPAGATORS: Readonly<Record<string, readonly [header: string, propagator: TextMapPropagator]>> = {
  W3C: ["traceparent", new W3CTraceContextPropagator()],
  "W3C with baggage": [
    "traceparent",
    new CompositePropagator({ propagators: [new W3CTraceContextPropagator(), new W3CBaggagePropagator()] }),
  ],
  "B3, one header": ["b3", new B3Propagator()],
  "B3, several headers": ["x-b3-traceid", new B3Propagator({ injectEncoding: B3InjectEncoding.MULTI_HEADER })],
  "an error tracker's": ["sentry-trace", ofErrorTracker],
};

interface Below {
  readonly fetch?: NonNullable<SocialConnectOptions["fetch"]>;
  readonly end: () => void;
}

/** Outgoing requests only: the collector's own would be spans, too. It instruments a module when that is required first. */
const httpInstrumentation = new HttpInstrumentation({ disableIncomingRequestInstrumentation: true });
const http: typeof Http = createRequire(import.meta.url)("http");
httpInstrumentation.disable();

/** The instrumentation of node:http, and a `fetch` that uses this module, as polyfills do. */
function instrumentHttp(): Below {
  httpInstrumentation.enable();
  const fetch: NonNullable<Below["fetch"]> = (url, { method, headers, body }) =>
    new Promise((resolve, reject) => {
      const request = http.request(url, { method, headers }, async (response) => {
        resolve(new Response(await text(response), { headers: { "content-type": "application/json" } }));
      });
      request.on("error", reject).end(body);
    });
  return { fetch, end: () => httpInstrumentation.disable() };
}

/** A function that replaces the global fetch, as frameworks do, with its own span. */
function replaceFetch(doesInject: boolean): Below {
  const original = globalThis.fetch;
  globalThis.fetch = (input, init) =>
    trace.getTracer("framework").startActiveSpan("fetch", async (span) => {
      const headers = new Headers(init?.headers);
      const setter = { set: (carrier: Headers, name: string, value: string) => carrier.set(name, value) };
      if (doesInject) propagation.inject(context.active(), headers, setter);
      try {
        return await original(input, { ...init, headers });
      } finally {
        span.end();
      }
    });
  return { end: () => Object.assign(globalThis, { fetch: original }) };
}

const BELOW: Readonly<Record<string, () => Below>> = {
  "nothing else": () => ({ end: () => undefined }),
  "the instrumentation of undici": () => {
    const instrumentation = new UndiciInstrumentation();
    return { end: () => instrumentation.disable() };
  },
  "the instrumentation of node:http": instrumentHttp,
  "those of undici and of node:http": () => {
    const [undici, { end }] = [new UndiciInstrumentation(), instrumentHttp()];
    return {
      end: () => {
        end();
        undici.disable();
      },
    };
  },
  "a framework that traces fetch": () => replaceFetch(false),
  "a framework that traces fetch and injects": () => replaceFetch(true),
  "undici's and a framework that injects": () => {
    const [instrumentation, framework] = [new UndiciInstrumentation(), replaceFetch(true)];
    return {
      end: () => {
        framework.end();
        instrumentation.disable();
      },
    };
  },
};

describe.each(Object.entries(BELOW))("beside %s", (_, begin) => {
  it.each(Object.entries(PROPAGATORS))("sends one trace context with the propagator %s", async (__, [header, used]) => {
    propagation.setGlobalPropagator(used);
    const { end, ...options } = begin();
    const page = provider.getTracer("application").startSpan("page", {}, ROOT_CONTEXT);
    try {
      const social = new SocialConnect(withOpenTelemetry({ baseUrl: service.url, key: KEY, ...options }));
      await context.with(trace.setSpan(ROOT_CONTEXT, page), () => social.readiness());
    } finally {
      end();
      page.end();
      await provider.forceFlush();
    }
    const { traceId } = page.spanContext();
    const spans = collector.spans.filter((span) => span.traceId === traceId);
    const clients = spans.filter(({ kind }) => kind === CLIENT);
    expect(clients.map(({ name }) => name)).toEqual(["query integrationReadiness"]);
    expect(service.received).toHaveLength(1);
    expect(service.received[0]?.["traceparent"]).toEqual([`00-${traceId}-${clients[0]?.spanId}-01`]);
    expect(service.received[0]?.[header]).toHaveLength(1);
    const ids = spans.map(({ spanId }) => spanId);
    for (const { parentSpanId, name } of spans) expect(name === "page" || ids.includes(parentSpanId ?? "")).toBe(true);
  });
});

it("the control: without the SDK, undici's instrumentation adds a second header and its own span", async () => {
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  const instrumentation = new UndiciInstrumentation();
  const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  const response = await fetch(service.url, { method: "POST", body: "{}", headers: { traceparent } });
  await response.text();
  instrumentation.disable();
  await provider.forceFlush();
  expect(service.received[0]?.["traceparent"]).toHaveLength(2);
  expect(collector.spans.map(({ name, kind }) => [name, kind])).toContainEqual(["POST", CLIENT]);
});

it.each(["the instrumentation of undici", "the instrumentation of node:http"])(
  "leaves the trace to %s if it records no spans itself",
  async (name) => {
    propagation.setGlobalPropagator(new W3CTraceContextPropagator());
    const { end, ...below } = BELOW[name]?.() ?? { end: () => undefined };
    const options = withOpenTelemetry({ baseUrl: service.url, key: KEY, ...below }, { tracerProvider: false });
    await new SocialConnect(options).readiness();
    end();
    await provider.forceFlush();
    expect(service.received[0]?.["traceparent"]).toHaveLength(1);
    expect(collector.spans.map(({ name }) => name)).toContain("POST");
  },
);

it.each([
  ["sampled and random", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-03"],
  ["of a later version", "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-later"],
  ["of another vendor", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"],
])("continues a trace that is %s, with its tracestate", async (_, traceparent) => {
  const used = new W3CTraceContextPropagator();
  propagation.setGlobalPropagator(used);
  const tracestate = "vendor=t61rcWkgMzE,other@system=00f067aa0ba902b7";
  const incoming = propagation.extract(ROOT_CONTEXT, { traceparent, tracestate });
  const social = new SocialConnect(withOpenTelemetry({ baseUrl: service.url, key: KEY }));
  await context.with(incoming, () => social.readiness());
  const [received] = service.received;
  expect(received?.["traceparent"]).toEqual([expect.stringMatching(/^00-4bf92f3577b34da6a3ce929d0e0e4736-.*-0[13]$/)]);
  expect(received?.["tracestate"]).toEqual([tracestate]);
});
