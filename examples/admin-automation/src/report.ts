import type { AdminReader } from "@social-connect/admin-sdk";

/** The changes made with one key since a given time, oldest first. */
export async function changesSince(admin: AdminReader, apiKeyId: string, since: Date): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const { at, action, clientSlug, summary } of admin.audit({ apiKeyId })) {
    if (new Date(at) < since) break;
    lines.unshift(`${at}  ${clientSlug ?? "–"}  ${action}: ${summary}`);
  }
  return lines;
}
