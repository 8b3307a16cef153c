import { printableJson } from "@social-connect/contract";
import type { AuditEntry } from "../_generated/types.ts";
import { type Context, readerOf } from "./context.ts";
import { EXIT, type ExitCode } from "./exitCodes.ts";
import { table } from "./tables.ts";

const MAX_PAGE_SIZE = 100;

export async function showAudit(context: Context): Promise<ExitCode> {
  const { key, limit, json } = context.options;
  const entries: AuditEntry[] = [];
  const options = { apiKeyId: key, pageSize: Math.min(limit, MAX_PAGE_SIZE), signal: context.signal };
  for await (const entry of readerOf(context).audit(options)) {
    entries.push(entry);
    if (entries.length >= limit) break;
  }
  if (json) context.print(printableJson(entries));
  else if (entries.length === 0) context.print("No entries.");
  else context.print(table(["AT", "WHO", "WHAT", "CLIENT", "SUMMARY"], entries.map(rowOf)));
  return EXIT.done;
}

function rowOf({ at, actor, action, clientSlug, summary }: AuditEntry): readonly string[] {
  return [at, actor, action, clientSlug ?? "", summary];
}
