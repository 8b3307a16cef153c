import { performance } from "node:perf_hooks";
import type { JobStatus, SocialProvider } from "@social-connect/contract";
import type { ClientVersion, DeliveryProblem, JobKind, WaitReason } from "@social-connect/domain";
import type { Presence } from "../call/presence.ts";
import { currentTrail, onTrail, type Span, type SpanAttributes } from "../call/trail.ts";
import { EGRESS_FAILURES } from "../network/egress.ts";

/** The interface through which a request arrived. */
export type RequestSurface = "consumer" | "admin" | "panel" | "browser";

/** What is logged and counted of a request. The edge fills it in while the request runs. */
export interface RequestRecord {
  /** Who waits for its response. */
  readonly presence?: Pick<Presence, "hasLeft" | "owner">;
  readonly surface: RequestSurface;
  readonly correlationId: string;
  /** The operation of the schema or the name of the page; `other` for everything else. */
  operation: string;
  /** `OK`, or the code of the first error. */
  code: string;
  /** The authenticated application; null without one. */
  applicationId: string | null;
  /** The calling library, of requests to the consumer and the admin API. */
  readonly client: ClientVersion | null;
  /** How long its body, document and variables occupied the process, in milliseconds. */
  workMs: number;
}

/** What is logged and counted of an attempt at a job. */
export interface AttemptRecord {
  readonly jobId: string;
  readonly kind: JobKind;
  readonly provider: SocialProvider;
  readonly applicationId: string;
  readonly connectionId: string;
  /** null once the connection is erased. */
  readonly registrationId: string | null;
  readonly attempt: number;
  /** The job's status after the attempt; `DISCARDED` if another attempt owns the job, `ERROR` if nothing was stored. */
  outcome: JobStatus | "DISCARDED" | "ERROR";
  waitReason: WaitReason | null;
  nextRetryAt: Date | null;
  errorCode: string | null;
  /** How the provider's call failed, for the log. */
  cause: Readonly<Record<string, string>> | null;
}

/** Which of a registration's addresses was called. */
export const PROVIDER_ENDPOINTS = ["api", "token", "revocation"] as const;
/** `ok`, the class of the response's status, or why there is no response. */
export const PROVIDER_CALL_RESULTS = ["ok", "http_4xx", "http_429", "http_5xx", ...EGRESS_FAILURES, "error"] as const;

/** What is logged and counted of a call to a provider. */
export interface ProviderCallRecord {
  readonly provider: SocialProvider;
  readonly registrationId: string;
  readonly endpoint: (typeof PROVIDER_ENDPOINTS)[number];
  readonly method: string;
  /** The status of the response; null without one. */
  status: number | null;
  result: (typeof PROVIDER_CALL_RESULTS)[number];
}

/** What is logged and counted of a try to deliver an event. */
export interface DeliveryRecord {
  readonly eventId: string;
  readonly type: string;
  readonly endpointId: string;
  readonly applicationId: string;
  readonly origin: string;
  readonly attempt: number;
  /** The status of the answer; null without one. */
  status: number | null;
  problem: DeliveryProblem | null;
  /** The error code of the system or of a library. */
  cause: string | null;
  /** The delivery's status after the try; `DISCARDED` if it had changed, `ERROR` if nothing was stored. */
  outcome: (typeof DELIVERY_OUTCOMES)[number];
}

export const DELIVERY_OUTCOMES = ["SUCCEEDED", "WAITING", "FAILED", "DISCARDED", "ERROR"] as const;

/** The erasure of a connection. The record in the log survives the loss of the database. */
export interface ErasureRecord {
  readonly connectionId: string;
  readonly applicationId: string;
  readonly provider: SocialProvider;
}

/** What is counted of a provider's message. `ignored`: it is genuine, and changes nothing. */
export interface ProviderMessageRecord {
  readonly provider: SocialProvider;
  readonly kind: "deauthorization" | "webhook" | "data_deletion";
  readonly result: "accepted" | "ignored" | "refused";
}

/** `requested`: the connection was disconnected. `completed`: only its receipts are left. */
export type ErasureStep = "requested" | "completed";

/** The `event` of the log line of each step. `erasures replay` finds the lines by it. */
export const ERASURE_EVENTS = {
  requested: "erasure.requested",
  completed: "erasure.completed",
} as const satisfies Record<ErasureStep, string>;

/** The role of a span's work between two systems. */
export type SpanKind = "server" | "internal" | "client" | "consumer";

/** Starts spans. Returns null for one of a trace that is not sampled. */
export interface Tracing {
  /** `parent` is a span of this process or a `traceparent`; null begins a trace. */
  start(name: string, kind: SpanKind, parent: Span | string | null, attributes?: SpanAttributes): Span | null;
}

/** What the edges report: requests, attempts at jobs, calls to providers and, as spans, what happens in between. */
export interface Telemetry {
  /** null: nothing is traced. */
  readonly tracing: Tracing | null;
  requestEnded(record: RequestRecord, durationMs: number): void;
  attemptEnded(record: AttemptRecord, durationMs: number): void;
  providerCallEnded(record: ProviderCallRecord, durationMs: number): void;
  providerMessage(record: ProviderMessageRecord): void;
  deliveryEnded(record: DeliveryRecord, durationMs: number): void;
  /** Called after the commit. */
  erasure(step: ErasureStep, record: ErasureRecord): void;
}

/** For commands. */
export const NO_TELEMETRY: Telemetry = {
  tracing: null,
  requestEnded: () => undefined,
  attemptEnded: () => undefined,
  providerCallEnded: () => undefined,
  providerMessage: () => undefined,
  deliveryEnded: () => undefined,
  erasure: () => undefined,
};

interface Trace {
  readonly name: string;
  readonly kind: SpanKind;
  /** The id of the request, or of the attempt's job. */
  readonly correlationId: string;
  /** The caller's, or the job's `traceparent`. */
  readonly parent: string | null;
  readonly attributes?: SpanAttributes;
  /** The presence of the caller of a request. */
  readonly presence?: Presence | undefined;
}

/** Begins a trail, and a trace if it is sampled, for a request or an attempt at a job. */
export function beginTrail<T>(
  { tracing }: Telemetry,
  { name, kind, correlationId, parent, attributes, presence }: Trace,
  work: (span: Span | null) => Promise<T>,
): Promise<T> {
  const span = tracing?.start(name, kind, parent, attributes) ?? null;
  return onTrail({ correlationId, span, presence }, () => (span === null ? work(null) : endWith(span, work)));
}

/** Runs work in a span of the current trace; only the work without a trace. */
export function inSpan<T>(
  { tracing }: Telemetry,
  name: string,
  kind: SpanKind,
  work: (span: Span | null) => Promise<T>,
): Promise<T> {
  const trail = currentTrail();
  const span = trail.span === null ? null : (tracing?.start(name, kind, trail.span) ?? null);
  if (span === null) return work(null);
  return onTrail({ ...trail, span }, () => endWith(span, work));
}

async function endWith<T>(span: Span, work: (span: Span) => Promise<T>): Promise<T> {
  try {
    const result = await work(span);
    span.end(null);
    return result;
  } catch (error) {
    span.end(errorKind(error));
    throw error;
  }
}

/** The kind of an error. Its message may quote data. */
export function errorKind(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return "code" in error && typeof error.code === "string" ? `${error.name} ${error.code}` : error.name;
}

/** The time since a reading of the monotonic clock, in milliseconds with two digits. */
export function elapsedMs(since: number): number {
  return Math.round((performance.now() - since) * 100) / 100;
}
