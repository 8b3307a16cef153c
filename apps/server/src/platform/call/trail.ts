import { AsyncLocalStorage } from "node:async_hooks";
import type { Presence } from "./presence.ts";

export interface Span {
  /** In the form of the W3C's `traceparent` header. */
  readonly traceParent: string;
  /** Only names, codes and ids: never a value of a request or a response. */
  set(attributes: SpanAttributes): void;
  rename(name: string): void;
  /** `error` is a code or the kind of an error; null for a success. */
  end(error: string | null): void;
}

export type SpanAttributes = Readonly<Record<string, string | number>>;

/**
 * What the work in progress belongs to. The edges begin one for each request and each attempt at a job; log lines, job
 * rows and spans read it, so that no use case has to pass it on. It decides only that the
 * work of a caller that has left ends.
 */
export interface Trail {
  /** The id that the caller of the request can quote. An attempt at a job has its request's. */
  readonly correlationId: string | null;
  /** null while the work is not traced. */
  readonly span: Span | null;
  /** The presence of the caller that waits for the work, if one does. */
  readonly presence?: Presence | undefined;
}

const trails = new AsyncLocalStorage<Trail>();
const NO_TRAIL: Trail = { correlationId: null, span: null };

/** The trail of the work in progress. Without one, for example in a sweep, its fields are null. */
export function currentTrail(): Trail {
  return trails.getStore() ?? NO_TRAIL;
}

/** Runs work, and everything that it starts, on a trail. */
export function onTrail<T>(trail: Trail, work: () => T): T {
  return trails.run(trail, work);
}

/** Runs work that serves more than the request or attempt that starts it. */
export function offTrail<T>(work: () => T): T {
  return onTrail(NO_TRAIL, work);
}

/** What a job's row keeps of the work that created it. */
export function jobOrigin(): { readonly correlationId: string | null; readonly traceParent: string | null } {
  const { correlationId, span } = currentTrail();
  return { correlationId, traceParent: span?.traceParent ?? null };
}
