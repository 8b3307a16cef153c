import type { AuditExportFormat } from "@social-connect/domain";
import { isStorableText } from "@social-connect/domain";
import type { FoundSession } from "../modules/admin-sessions/session.ts";
import { exportAuditEntries } from "../modules/audit/exportAuditEntries.ts";
import type { AuditFilter } from "../modules/audit/listAuditEntries.ts";
import type { Service } from "../modules/service.ts";

const MEDIA_TYPES: Readonly<Record<AuditExportFormat, string>> = {
  csv: "text/csv; charset=utf-8",
  jsonl: "application/jsonl; charset=utf-8",
};
const TEXT_FILTERS = ["apiKeyId", "clientSlug", "action", "actor", "targetType", "targetId"] as const;
const MAX_FILTER_LENGTH = 256;

interface ExportRequest {
  readonly format: AuditExportFormat;
  readonly filter: AuditFilter;
}

/** The format and filters of a request; null when one is invalid. */
export function readExportRequest(query: URLSearchParams): ExportRequest | null {
  const format = query.get("format");
  if (format !== "csv" && format !== "jsonl") return null;
  const texts = TEXT_FILTERS.map((name) => [name, query.get(name)] as const);
  const areTextsValid = texts.every(
    ([, text]) => text === null || (text.length <= MAX_FILTER_LENGTH && isStorableText(text)),
  );
  const [from, to] = [timeOf(query.get("from")), timeOf(query.get("to"))];
  if (!areTextsValid || from === undefined || to === undefined) return null;
  return { format, filter: { ...Object.fromEntries(texts), from, to } };
}

/** Null without a time; undefined when it is invalid. */
function timeOf(text: string | null): Date | null | undefined {
  if (text === null) return null;
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

/** Streams the entries as a file. An interrupted export ends with an error of the transport, not as a shorter file. */
export async function respondWithExport(
  service: Service,
  session: FoundSession,
  { format, filter }: ExportRequest,
): Promise<Response> {
  const { entries, isLimited, parts } = await exportAuditEntries(service, session, format, filter);
  const day = (await service.clock.now()).toISOString().slice(0, 10);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    // Called when the browser has taken the previous part.
    async pull(controller) {
      const { done, value } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await parts.return();
    },
  });
  return new Response(body, {
    headers: {
      "content-type": MEDIA_TYPES[format],
      "content-disposition": `attachment; filename="audit-log-${day}.${format}"`,
      "x-export-entries": String(entries),
      "x-export-limited": String(isLimited),
    },
  });
}
