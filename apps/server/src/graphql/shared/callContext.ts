import type { Service } from "../../modules/service.ts";
import type { Presence } from "../../platform/call/presence.ts";
import type { RequestRecord } from "../../platform/log/telemetry.ts";
import type { ReadyDocument } from "./documents.ts";

/** Yoga copies the properties of its context for each request, so it gets one. Resolvers get the call itself. */
export interface YogaContext<Context> {
  readonly call: Context;
}

/** What one call carries through the plugins and resolvers of both APIs. */
export interface CallContext {
  readonly service: Service;
  /** Correlates the request's response, errors and log lines. */
  readonly correlationId: string;
  /** What is logged and counted of the request. */
  readonly record: RequestRecord;
  /** The caller's address; computed only when a call is rejected. */
  readonly from: () => { readonly address: string; readonly network: string };
  /** Whether the caller still waits for the response. */
  readonly presence: Presence;
  /** Empty until it is read. */
  body: string;
  /** Why the call was refused before its body was read. */
  refusal: unknown;
  /** The application or admin whose cached documents the call uses and whose turn it takes; null: no one's. */
  owner: string | null;
  /** null before it is known. */
  document: ReadyDocument | null;
}
