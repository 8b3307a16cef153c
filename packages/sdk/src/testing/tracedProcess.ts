/** Runs the guide's tracing with the real OpenTelemetry packages in its own process; prints the finished spans. */
import { SpanKind, SpanStatusCode } from "@opentelemetry/api";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import type { Hooks } from "@social-connect/sdk";
import { connectionLost, fakeClient, refusal } from "./fakeApi.ts";
import { connection } from "./samples.ts";

const exporter = new InMemorySpanExporter();
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
const tracer = provider.getTracer("your-backend");

// #region tracing
// `tracer` is trace.getTracer("your-backend") of @opentelemetry/api.
const hooks: Hooks = {
  onRequest: ({ operation, attempt }) => {
    const span = tracer.startSpan(`Social Connect ${operation}`, {
      kind: SpanKind.CLIENT,
      attributes: { "graphql.operation.name": operation, "http.request.resend_count": attempt - 1 },
    });
    // Called at the end of this request, also when the caller aborts it.
    return ({ outcome, correlationId }) => {
      if (correlationId !== undefined) span.setAttribute("social_connect.correlation_id", correlationId);
      if (outcome !== "OK") {
        span.setAttribute("error.type", outcome);
        span.setStatus({ code: SpanStatusCode.ERROR, message: outcome });
      }
      span.end();
    };
  },
};
// #endregion tracing

const { user } = fakeClient({ connection: [connectionLost(), connection("c"), refusal("FORBIDDEN")] }, { hooks });
await user.connection("c");
await user.connection("c").catch(() => undefined);
console.log(
  JSON.stringify(
    exporter.getFinishedSpans().map(({ name, kind, status, attributes }) => ({ name, kind, status, attributes })),
  ),
);
await provider.shutdown();
