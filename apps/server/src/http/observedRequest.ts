import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { CLIENT_HEADER } from "@social-connect/contract";
import { readClientVersion } from "@social-connect/domain";
import type { Service } from "../modules/service.ts";
import type { RequestRecord, RequestSurface } from "../platform/telemetry.ts";
import { beginTrail, elapsedMs } from "../platform/telemetry.ts";

/** Version 00 of the W3C's header. */
const TRACE_PARENT = /^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$/;

/**
 * Begins the trail of a request, and reports the request when its work has ended. A backend's trace continues here; a
 * browser's does not, because anyone could join traces through it.
 */
export async function observedRequest(
  { telemetry }: Pick<Service, "telemetry">,
  surface: RequestSurface,
  request: IncomingMessage,
  work: (record: RequestRecord) => Promise<void>,
): Promise<void> {
  const beganAt = performance.now();
  const correlationId = randomUUID();
  const isBackend = surface === "consumer" || surface === "admin";
  const client = isBackend ? readClientVersion(headerOf(request, CLIENT_HEADER)) : null;
  const record: RequestRecord = { surface, correlationId, operation: "other", code: "OK", applicationId: null, client };
  const parent = isBackend ? traceParentOf(request) : null;
  await beginTrail(telemetry, { name: surface, kind: "server", correlationId, parent }, async (span) => {
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
  const sent = headerOf(request, "traceparent");
  return sent !== null && TRACE_PARENT.test(sent) ? sent : null;
}

function headerOf({ headers }: IncomingMessage, name: string): string | null {
  const sent = headers[name];
  return typeof sent === "string" ? sent : null;
}
