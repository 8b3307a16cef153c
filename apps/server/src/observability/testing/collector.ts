import { json } from "node:stream/consumers";
import { type LocalServer, serve } from "@social-connect/testkit";

/** A span as OTLP/HTTP sends it in JSON. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
  readonly status: { readonly code?: number; readonly message?: string };
  /** The role of the resource that sent it. */
  readonly role: string;
}

interface ExportRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: ReceivedSpan["attributes"] };
    readonly scopeSpans: readonly { readonly spans: readonly Omit<ReceivedSpan, "role">[] }[];
  }[];
}

/** A collector of traces on loopback, which keeps what it receives. */
export async function startCollector(): Promise<LocalServer & { readonly spans: ReceivedSpan[] }> {
  const spans: ReceivedSpan[] = [];
  const server = await serve(async (request, response) => {
    const isExport = request.method === "POST" && request.url === "/v1/traces";
    const { resourceSpans } = (await json(request)) as ExportRequest;
    if (!isExport) return void response.writeHead(404).end();
    for (const { resource, scopeSpans } of resourceSpans) {
      const role = String(attributeOf(resource.attributes, "social_connect.role"));
      for (const { spans: sent } of scopeSpans) spans.push(...sent.map((span) => ({ ...span, role })));
    }
    response.setHeader("content-type", "application/json").end("{}");
  });
  return { ...server, spans };
}

export function attributeOf(attributes: ReceivedSpan["attributes"], name: string): unknown {
  const found = attributes.find(({ key }) => key === name);
  return found && Object.values(found.value)[0];
}
