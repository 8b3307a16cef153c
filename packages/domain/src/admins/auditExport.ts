import { about } from "../audit/about.ts";
import type { AuditRecord } from "../audit/auditRecord.ts";
import { NOTHING_CHANGED } from "../audit/changes.ts";

/** An export contains the newest entries up to this number. */
export const AUDIT_EXPORT_LIMIT = 100_000;

export type AuditExportFormat = "csv" | "jsonl";

const FORMAT_NAMES: Readonly<Record<AuditExportFormat, string>> = { csv: "CSV", jsonl: "JSON lines" };

export function auditOfExport(
  admin: { readonly id: string; readonly email: string },
  format: AuditExportFormat,
  entries: number,
  filter: Readonly<Record<string, string>>,
): AuditRecord {
  const filters = Object.entries(filter).map(([name, value]) => `${name} ${value}`);
  const of = filters.length === 0 ? "" : ` (${filters.join(", ")})`;
  const summary = `${admin.email} exported ${entries} entries of the audit log as ${FORMAT_NAMES[format]}${of}.`;
  return about("ADMIN", admin.id, "Audit log exported", summary, NOTHING_CHANGED);
}
