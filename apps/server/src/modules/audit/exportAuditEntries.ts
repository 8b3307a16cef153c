import { AUDIT_EXPORT_LIMIT, type AuditExportFormat, auditOfExport } from "@social-connect/domain";
import type { AuditEntry } from "../../_generated/prisma/client.ts";
import type { SessionActor } from "../admin/actor.ts";
import { NEWEST_FIRST } from "../admin/page.ts";
import type { Service } from "../service.ts";
import { csvRow } from "./csv.ts";
import { type AuditFilter, changesOfEntry, loadEntries, matchingEntries } from "./listAuditEntries.ts";
import { recordAudit } from "./recordAudit.ts";

const ENTRIES_PER_PART = 1_000;
const COLUMNS = ["at", "actor", "apiKeyId", "action", "targetType", "targetId", "clientSlug", "summary", "id"] as const;
const SIDES = ["before", "after", "unchanged"] as const;

/**
 * Exports what a filter of the audit log matches, newest first. The export is recorded before the first entry is read, and
 * contains only earlier entries.
 */
export async function exportAuditEntries(
  service: Service,
  actor: SessionActor,
  format: AuditExportFormat,
  filter: AuditFilter,
  limit = AUDIT_EXPORT_LIMIT,
) {
  const now = await service.clock.now();
  const to = filter.to != null && filter.to < now ? filter.to : now;
  const where = matchingEntries({ ...filter, to }, now);
  const found = where === null ? 0 : await service.prisma.auditEntry.count({ where, take: limit + 1 });
  const entries = Math.min(found, limit);
  const { memberId: id, email } = actor;
  await recordAudit(service.prisma, actor, now, auditOfExport({ id, email }, format, entries, describe(filter)));
  return { entries, isLimited: found > limit, parts: partsOf() };

  async function* partsOf() {
    if (format === "csv") yield csvRow([...COLUMNS, ...SIDES]);
    let after: readonly string[] | null = null;
    for (let left = entries; left > 0 && where !== null; ) {
      const rows: AuditEntry[] = await loadEntries(service, where, after, Math.min(left, ENTRIES_PER_PART));
      const last = rows.at(-1);
      if (last === undefined) return;
      yield rows.map(format === "csv" ? csvLine : jsonLine).join("");
      after = NEWEST_FIRST.positionOf(last.at, last.id);
      left -= rows.length;
    }
  }
}

function csvLine(entry: AuditEntry): string {
  const cells = COLUMNS.map((column) => (column === "at" ? entry.at.toISOString() : (entry[column] ?? "")));
  const sides = Object.values(sidesOf(entry));
  return csvRow([...cells, ...sides.map((side) => (typeof side === "string" ? side : JSON.stringify(side)))]);
}

function jsonLine(entry: AuditEntry): string {
  const columns = Object.fromEntries(COLUMNS.map((column) => [column, entry[column]]));
  return `${JSON.stringify({ ...columns, ...sidesOf(entry) })}\n`;
}

/** The changed fields with a value before, those with one after, and the long lists of which so many entries stayed. */
function sidesOf(entry: AuditEntry) {
  const changes = changesOfEntry(entry);
  const sides = SIDES.map((side) => {
    const fields = changes?.flatMap((change) => (change[side] == null ? [] : [[change.field, change[side]] as const]));
    return [side, fields === undefined ? "not recorded" : Object.fromEntries(fields)] as const;
  });
  return Object.fromEntries(sides);
}

/** The filters that are set, for the audit log. */
function describe(filter: AuditFilter): Record<string, string> {
  const texts = Object.entries(filter).map(([name, value]) => [
    name,
    value instanceof Date ? value.toISOString() : (value ?? ""),
  ]);
  return Object.fromEntries(texts.filter(([, value]) => value !== ""));
}
