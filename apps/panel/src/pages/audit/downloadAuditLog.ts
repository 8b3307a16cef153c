import { Failure } from "../../api/failure.ts";
import { endSession, readSession } from "../../session/session.ts";
import { type AuditSearch, filterOf } from "./search.ts";

interface Downloaded {
  readonly entries: number;
  /** Older entries match, but are not in the file. */
  readonly isLimited: boolean;
}

/** Requests an export and saves it as a file. The response is complete before it is saved, so a file is never cut short. */
export async function downloadAuditLog(format: "csv" | "jsonl", search: AuditSearch): Promise<Downloaded> {
  const filters = Object.entries(filterOf(search)).filter(([, value]) => value !== null);
  const query = new URLSearchParams({ format, ...(Object.fromEntries(filters) as Record<string, string>) });
  const response = await fetch(`/panel/audit-export?${query}`, {
    method: "POST",
    headers: { "x-csrf-token": readSession()?.csrfToken ?? "" },
    redirect: "error",
  }).catch(() => null);
  if (response?.status === 401) {
    endSession();
    throw new Failure({ code: "UNAUTHENTICATED", message: "You are signed out. Sign in to continue." });
  }
  if (response?.status === 400) throw new Failure({ code: "BAD_USER_INPUT", ...(await response.json()) });
  const file = response?.ok ? await response.blob().catch(() => null) : null;
  if (response === null || file === null) {
    throw new Failure({ code: "UNREACHABLE", message: "The export failed. Try again." });
  }
  save(file, nameIn(response.headers.get("content-disposition")) ?? `audit-log.${format}`);
  return {
    entries: Number(response.headers.get("x-export-entries")),
    isLimited: response.headers.get("x-export-limited") === "true",
  };
}

function nameIn(disposition: string | null): string | null {
  return /filename="([\w.-]+)"/.exec(disposition ?? "")?.[1] ?? null;
}

function save(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
