/** OpenTelemetry for the SDK. Everything exported here is public and follows semver. */
import {
  type Attributes,
  type Context,
  context,
  createContextKey,
  isSpanContextValid,
  type MeterProvider,
  metrics,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TracerProvider,
  trace,
} from "@opentelemetry/api";
import type { EnvironmentOptions, Fetch, RequestEvent, ResponseEvent, SocialConnectOptions } from "@social-connect/sdk";
import { notify, runtimeFetch } from "@social-connect/sdk-core";
import { REPEATING } from "./_generated/operations.ts";

const SCOPE = "@social-connect/sdk";
/** The boundaries that the semantic conventions recommend, in seconds. */
const BOUNDARIES = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/** The key by which instrumentations and propagators know that a request is recorded already: of @opentelemetry/core. */
const SUPPRESS_TRACING = createContextKey("OpenTelemetry SDK Context Key SUPPRESS_TRACING");

/** Where spans and durations go. By default to the providers that are registered when a request is sent. */
export interface OpenTelemetryProviders {
  /** `false` records no spans and sends no trace context. */
  readonly tracerProvider?: TracerProvider | false | undefined;
  /** `false` records no durations, for example if an instrumentation of `fetch` does. */
  readonly meterProvider?: MeterProvider | false | undefined;
}

interface StartedRequest {
  readonly span: Span | undefined;
  readonly context: Context;
  readonly attributes: Attributes;
}

/**
 * Options for a client whose requests are recorded: each is a span of kind CLIENT and a value of the histogram
 * `http.client.request.duration`, with the attributes of the semantic conventions for HTTP clients and GraphQL. The trace
 * context is sent to the service. Nothing that is recorded contains a key, an argument, an id or a response.
 */
export function withOpenTelemetry(
  options: SocialConnectOptions,
  providers?: OpenTelemetryProviders,
): SocialConnectOptions;
/** The same for `SocialConnect.fromEnv`. */
export function withOpenTelemetry(options?: EnvironmentOptions, providers?: OpenTelemetryProviders): EnvironmentOptions;
export function withOpenTelemetry(
  options: EnvironmentOptions = {},
  { tracerProvider = trace, meterProvider = metrics }: OpenTelemetryProviders = {},
): EnvironmentOptions {
  const { hooks = {}, fetch: send = runtimeFetch } = options;
  const server = options.baseUrl === undefined ? {} : serverOf(options.baseUrl);
  const requests = new Map<string, StartedRequest>();

  const start = (event: RequestEvent): StartedRequest => {
    const operation = operationOf(event);
    const attributes: Attributes = { "http.request.method": "POST", ...server, ...operation.attributes };
    const active = context.active();
    if (tracerProvider === false) return { span: undefined, context: active, attributes };
    const resends = event.attempt > 1 ? { "http.request.resend_count": event.attempt - 1 } : {};
    const span = tracerProvider
      .getTracer(SCOPE)
      .startSpan(operation.name, { kind: SpanKind.CLIENT, attributes: { ...attributes, ...resends } }, active);
    return { span, context: trace.setSpan(active, span), attributes };
  };

  const finish = ({ span, context: active, attributes }: StartedRequest, end: ResponseEvent): void => {
    // A call that its caller ended is not an error.
    const isError = end.outcome !== "OK" && end.outcome !== "ABORTED";
    const failure = isError ? { "error.type": end.outcome } : {};
    if (meterProvider !== false) {
      meterProvider
        .getMeter(SCOPE)
        .createHistogram("http.client.request.duration", {
          description: "Duration of HTTP client requests.",
          unit: "s",
          advice: { explicitBucketBoundaries: BOUNDARIES },
        })
        .record(end.durationMs / 1_000, { ...attributes, ...failure }, active);
    }
    if (span === undefined) return;
    if (end.correlationId !== undefined) span.setAttribute("social_connect.correlation_id", end.correlationId);
    if (isError) {
      span.setAttributes(failure);
      span.setStatus({ code: SpanStatusCode.ERROR, message: end.outcome });
    }
    span.end();
  };

  const onRequest = (event: RequestEvent) => {
    // Observing a call does not affect it: errors of telemetry are ignored.
    const started = notify(start, event);
    if (started !== undefined) requests.set(keyOf(event), started);
    const endOfOwn = notify<RequestEvent, unknown>(hooks.onRequest, event);
    return (end: ResponseEvent) => {
      requests.delete(keyOf(event));
      if (started !== undefined) notify(() => finish(started, end), end);
      if (typeof endOfOwn === "function") notify((ended) => endOfOwn(ended), end);
    };
  };

  const fetch: Fetch = async (url, init) => {
    const started = requests.get(keyOf(init.request));
    if (started === undefined) return send(url, init);
    const { span, attributes } = started;
    // The attributes of a URL from the environment.
    Object.assign(attributes, serverOf(url));
    const headers = { ...init.headers };
    const sending = notify(() => injectInto(headers, started), url) ?? started.context;
    notify(() => span?.setAttributes({ ...serverOf(url), "url.full": url }), url);
    const response = await context.with(sending, () => send(url, { ...init, headers }));
    attributes["http.response.status_code"] = response.status;
    notify(() => span?.setAttribute("http.response.status_code", response.status), response);
    return response;
  };

  return { ...options, fetch, hooks: { ...hooks, onRequest } };
}

/**
 * Writes the trace context into the headers; returns the context to send the request in. Instrumentations of HTTP below record
 * and inject nothing there, because a second `traceparent` would invalidate both.
 */
function injectInto(headers: Record<string, string>, { span, context: active }: StartedRequest): Context {
  const spanContext = span?.spanContext();
  if (spanContext === undefined || !isSpanContextValid(spanContext)) return active;
  const { traceId, spanId, traceFlags } = spanContext;
  // The service reads this header only. Other propagators overwrite it or add theirs.
  headers["traceparent"] = `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;
  notify((carrier) => propagation.inject(active, carrier), headers);
  return active.setValue(SUPPRESS_TRACING, true);
}

function keyOf({ callId, attempt }: Pick<RequestEvent, "callId" | "attempt">): string {
  return `${callId}.${attempt}`;
}

/** The list of operations is short, so a span may be named after its operation. */
function operationOf({ operation }: RequestEvent): { readonly name: string; readonly attributes: Attributes } {
  const repeating: string | undefined = (REPEATING as Readonly<Record<string, string>>)[operation];
  const name = { "graphql.operation.name": operation };
  if (repeating === undefined) return { name: `GraphQL ${operation}`, attributes: name };
  const type = repeating === "read" ? "query" : "mutation";
  return { name: `${type} ${operation}`, attributes: { ...name, "graphql.operation.type": type } };
}

/** The client rejects a malformed URL with its own message. */
function serverOf(baseUrl: string): Attributes {
  if (!URL.canParse(baseUrl)) return {};
  const { hostname, port, protocol } = new URL(baseUrl);
  return { "server.address": hostname, "server.port": Number(port) || (protocol === "https:" ? 443 : 80) };
}
