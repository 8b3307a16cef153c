import { isSet } from "../../config/secretSources.ts";
import type { Settings } from "../../config/settings.ts";
import { type Finding, failed, ok, skipped } from "./finding.ts";

/** With its retries, which take 2.5 seconds. */
const TIMEOUT_MS = 3_000;

/** Sends the collector a request without spans, in the way in which a process sends its spans. */
export async function checkTraces(
  { tracing }: Pick<Settings, "tracing">,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Finding> {
  if (tracing === null) return skipped("traces", "no OTLP endpoint is set, so nothing is traced");
  const { createSpanExporter } = await import("../../observability/tracing.ts");
  const exporter = await createSpanExporter(tracing.protocol, {
    url: addressIn(environment),
    timeoutMillis: TIMEOUT_MS,
  });
  const { error } = await new Promise<{ error?: Error }>((resolve) => exporter.export([], resolve));
  await exporter.shutdown().catch(() => undefined);
  if (error === undefined) return ok("traces", "the collector accepts spans");
  const message = `the collector does not accept spans: ${reasonOf(error)}`;
  return failed(
    "traces",
    message,
    "Correct OTEL_EXPORTER_OTLP_ENDPOINT and its other variables, or start the collector",
  );
}

/** As the specification of OTLP's exporter says: only the general endpoint is a base. */
function addressIn(environment: Readonly<Record<string, string | undefined>>): string {
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own, OTEL_EXPORTER_OTLP_ENDPOINT: base = "" } = environment;
  return own !== undefined && isSet(own) ? own.trim() : `${base.trim().replace(/\/$/, "")}/v1/traces`;
}

/** The status or the code of the failure. The collector's response is not repeated. */
function reasonOf(error: Error & { readonly code?: unknown }): string {
  if (typeof error.code === "number") return `it responds with status ${error.code}`;
  return typeof error.code === "string" ? `it cannot be reached (${error.code})` : error.message;
}
