import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { CLIENT_HEADER } from "@social-connect/contract";
import { readClientVersion } from "@social-connect/domain";
import type { Service } from "../modules/service.ts";
import type { Presence } from "../platform/call/presence.ts";
import { beginTrail, elapsedMs, type RequestRecord, type RequestSurface } from "../platform/log/telemetry.ts";

/** The W3C's header. Later versions begin as version 00 and may be longer. */
const TRACE_PARENT = /^([0-9a-f]{2})(-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2})(-.*)?$/;

/**
 * Begins the trail of a request, and reports the request when its work has ended. A backend's trace continues here; a
 * browser's does not, because anyone could join traces through it.
 */
export async function observedRequest(
  { telemetry }: Pick<Service, "telemetry">,
  surface: RequestSurface,
  { request, presence }: { readonly request: IncomingMessage; readonly presence: Presence },
  work: (record: RequestRecord) => Promise<void>,
): Promise<void> {
  const beganAt = performance.now();
  const correlationId = randomUUID();
  const isBackend = surface === "consumer" || surface === "admin";
  const client = isBackend ? readClientVersion(headerOf(request, CLIENT_HEADER)) : null;
  const record: RequestRecord = {
    presence,
    surface,
    correlationId,
    operation: "other",
    code: "OK",
    applicationId: null,
    client,
    workMs: 0,
  };
  const parent = isBackend ? traceParentOf(request) : null;
  await beginTrail(telemetry, { name: surface, kind: "server", correlationId, parent, presence }, async (span) => {
    try {
      await work(record);
    } finally {
      const { operation, code } = record;
      span?.rename(`${surface} ${operation}`);
      span?.set({ "correlation.id": correlationId, operation, code });
      telemetry.requestEnded(record, elapsedMs(beganAt));
    }
  });
}

function traceParentOf(request: IncomingMessage): string | null {
  const [, version, parts, more] = TRACE_PARENT.exec(headerOf(request, "traceparent") ?? "") ?? [];
  if (version === "ff" || (version === "00" && more !== undefined) || parts === undefined) return null;
  return `00${parts}`;
}

function headerOf({ headersDistinct }: IncomingMessage, name: string): string | null {
  const [sent = null, ...others] = headersDistinct[name] ?? [];
  return others.length === 0 ? sent : null;
}
