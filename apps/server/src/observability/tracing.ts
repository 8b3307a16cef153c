import {
  type Context,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from "@opentelemetry/api";
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { TracingSettings } from "../config/settings.ts";
import type { Span, SpanAttributes } from "../platform/call/trail.ts";
import type { DropReason } from "../platform/log/lineOutput.ts";
import type { Logger } from "../platform/log/logger.ts";
import type { SpanKind as KindName, Tracing } from "../platform/log/telemetry.ts";

export interface RunningTracing extends Tracing {
  /** Spans that were not delivered. */
  readonly dropped: { counts(): ReadonlyMap<DropReason, number> };
  /** Sends what is left. */
  stop(): Promise<void>;
}

const KINDS: Readonly<Record<KindName, SpanKind>> = {
  server: SpanKind.SERVER,
  internal: SpanKind.INTERNAL,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
};

/**
 * Sends spans over OTLP/HTTP. The exporter reads its own variables (`OTEL_EXPORTER_OTLP_*`): endpoint, headers,
 * certificates, timeout and compression. `changes` replace them.
 */
export async function createSpanExporter(
  protocol: TracingSettings["protocol"],
  changes: { readonly url?: string; readonly timeoutMillis?: number } = {},
): Promise<SpanExporter> {
  const { OTLPTraceExporter } =
    protocol === "http/json"
      ? await import("@opentelemetry/exporter-trace-otlp-http")
      : await import("@opentelemetry/exporter-trace-otlp-proto");
  return new OTLPTraceExporter(changes);
}

/** Starts the tracing of a process. */
export async function startTracing(
  { protocol, sampler, ratio, batch }: TracingSettings,
  role: string,
  logger: Logger,
): Promise<RunningTracing> {
  const exporter = new CountedExporter(await createSpanExporter(protocol), logger);
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ "service.name": "social-connect", "social_connect.role": role }))
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: samplerOf(sampler, ratio),
    spanProcessors: [new CountedProcessor(exporter, batch)],
  });
  const tracer = provider.getTracer("social-connect");
  return {
    start: (name, kind, parent, attributes) => {
      const context = contextOf(parent);
      const span = tracer.startSpan(name, { kind: KINDS[kind], ...(attributes && { attributes }) }, context);
      return span.isRecording() ? new RecordedSpan(span, context) : null;
    },
    dropped: { counts: () => exporter.dropped },
    stop: () => provider.shutdown(),
  };
}

/** `ExportResultCode.SUCCESS` of the library's core. */
const DELIVERED = 0;

/** Counts what the exporter cannot deliver, which the library does not report, and logs when that begins and ends. */
class CountedExporter implements SpanExporter {
  readonly dropped = new Map<DropReason, number>();
  /** Spans between their end and their export. */
  waiting = 0;
  readonly #exporter: SpanExporter;
  readonly #logger: Logger;
  #unreported = 0;

  constructor(exporter: SpanExporter, logger: Logger) {
    this.#exporter = exporter;
    this.#logger = logger;
  }

  export(spans: Parameters<SpanExporter["export"]>[0], onResult: Parameters<SpanExporter["export"]>[1]): void {
    this.waiting -= spans.length;
    this.#exporter.export(spans, (result) => {
      if (result.code !== DELIVERED) this.drop("failed", spans.length, result.error);
      else if (this.#unreported > 0) {
        this.#logger.warn({ dropped: this.#unreported }, "traces are delivered again; spans were dropped");
        this.#unreported = 0;
      }
      onResult(result);
    });
  }

  drop(reason: DropReason, spans: number, error?: Error): void {
    if (this.#unreported === 0) this.#logger.warn({ reason: error?.message ?? reason }, "traces cannot be delivered");
    this.#unreported += spans;
    this.dropped.set(reason, (this.dropped.get(reason) ?? 0) + spans);
  }

  shutdown(): Promise<void> {
    return this.#exporter.shutdown();
  }
}

/** Counts the spans for which the queue has no room, while the collector is slow. */
class CountedProcessor extends BatchSpanProcessor {
  readonly #exporter: CountedExporter;
  readonly #capacity: number;

  constructor(exporter: CountedExporter, batch: TracingSettings["batch"]) {
    super({ exporter, ...batch });
    this.#exporter = exporter;
    this.#capacity = batch.maxQueueSize;
  }

  override onEnd(span: Parameters<BatchSpanProcessor["onEnd"]>[0]): void {
    if ((span.spanContext().traceFlags & TraceFlags.SAMPLED) !== 0) {
      if (this.#exporter.waiting >= this.#capacity) this.#exporter.drop("slow_reader", 1);
      else this.#exporter.waiting += 1;
    }
    super.onEnd(span);
  }
}

function samplerOf(name: TracingSettings["sampler"], ratio: number): Sampler {
  const [kind, isParentBased] = name.startsWith("parentbased_") ? [name.slice(12), true] : [name, false];
  const roots: Readonly<Record<string, Sampler>> = {
    always_on: new AlwaysOnSampler(),
    always_off: new AlwaysOffSampler(),
    traceidratio: new TraceIdRatioBasedSampler(ratio),
  };
  const root = roots[kind] ?? new AlwaysOffSampler();
  return isParentBased ? new ParentBasedSampler({ root }) : root;
}

function contextOf(parent: Span | string | null): Context {
  if (parent instanceof RecordedSpan) return parent.context;
  if (typeof parent !== "string") return ROOT_CONTEXT;
  const remote = spanContextOf(parent);
  return remote === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, remote);
}

/** Parses a `traceparent`; null for a malformed one. */
function spanContextOf(traceParent: string): SpanContext | null {
  const [, traceId, spanId, flags] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceParent) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return null;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}

class RecordedSpan implements Span {
  readonly context: Context;
  readonly #span: ReturnType<typeof trace.wrapSpanContext>;

  constructor(span: ReturnType<typeof trace.wrapSpanContext>, parent: Context) {
    this.#span = span;
    this.context = trace.setSpan(parent, span);
  }

  get traceParent(): string {
    const { traceId, spanId, traceFlags } = this.#span.spanContext();
    return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;
  }

  set(attributes: SpanAttributes): void {
    this.#span.setAttributes(attributes);
  }

  rename(name: string): void {
    this.#span.updateName(name);
  }

  end(error: string | null): void {
    if (error !== null) {
      this.#span.setAttribute("error.type", error);
      this.#span.setStatus({ code: SpanStatusCode.ERROR });
    }
    this.#span.end();
  }
}
