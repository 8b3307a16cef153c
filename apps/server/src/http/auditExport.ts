import { type AuditExportFormat, checkInput, parseDateTime } from "@social-connect/domain";
import type { FoundSession } from "../modules/admin-sessions/session.ts";
import { exportAuditEntries } from "../modules/audit/exportAuditEntries.ts";
import type { AuditFilter } from "../modules/audit/listAuditEntries.ts";
import type { Service } from "../modules/service.ts";
import { fileResponse } from "./fileResponse.ts";

const TEXT_FILTERS = ["apiKeyId", "clientSlug", "action", "actor", "targetType", "targetId"] as const;

interface ExportRequest {
  readonly format: AuditExportFormat;
  readonly filter: AuditFilter;
}

/** The first invalid parameter of a request. */
interface InvalidParameter {
  readonly field: string;
  readonly message: string;
}

export function readExportRequest(query: URLSearchParams): ExportRequest | InvalidParameter {
  const format = query.get("format");
  if (format !== "csv" && format !== "jsonl") return { field: "format", message: "The format must be csv or jsonl." };
  const texts = Object.fromEntries(TEXT_FILTERS.map((name) => [name, query.get(name)]));
  const refusal = checkInput("searchAuditEntries", texts);
  if (refusal !== null) return { field: refusal.field ?? "", message: refusal.message };
  const [from, to] = [timeOf(query.get("from")), timeOf(query.get("to"))];
  if (from === undefined) return { field: "from", message: "The time is invalid." };
  if (to === undefined) return { field: "to", message: "The time is invalid." };
  return { format, filter: { ...texts, from, to } };
}

/** As the list reads it. null without a time; undefined when it is invalid. */
function timeOf(text: string | null): Date | null | undefined {
  if (text === null) return null;
  return parseDateTime(text) ?? undefined;
}

/** Streams the entries as a file. */
export async function respondWithExport(
  service: Service,
  session: FoundSession,
  { format, filter }: ExportRequest,
): Promise<Response> {
  const { entries, isLimited, parts } = await exportAuditEntries(service, session, format, filter);
  return fileResponse(service, parts, { name: "audit-log", extension: format, entries: { count: entries, isLimited } });
}
