import { download } from "../../api/download.ts";
import { type AuditSearch, filterOf } from "./search.ts";

interface Downloaded {
  readonly entries: number;
  /** Older entries match, but are not in the file. */
  readonly isLimited: boolean;
}

/** Requests an export and saves it as a file. */
export async function downloadAuditLog(format: "csv" | "jsonl", search: AuditSearch): Promise<Downloaded> {
  const filters = Object.entries(filterOf(search)).filter(([, value]) => value !== null);
  const query = new URLSearchParams({ format, ...(Object.fromEntries(filters) as Record<string, string>) });
  const headers = await download(`/panel/audit-export?${query}`, `audit-log.${format}`);
  return {
    entries: Number(headers.get("x-export-entries")),
    isLimited: headers.get("x-export-limited") === "true",
  };
}
