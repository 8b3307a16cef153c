import type { AdminOperationClass } from "@social-connect/contract";

/** The class of each operation of the admin API. What stands in neither list is the panel's. Source: service description, part 4. */
export const ADMIN_READS = [
  "previewTemplate",
  "adminMembers",
  "adminAuditEntries",
  "adminClients",
  "adminClient",
  "adminProviderAvailability",
  "adminRegistrations",
] as const;
export const ADMIN_WRITES = [
  "createClient",
  "setClientEnabled",
  "setClientDisplayName",
  "setClientPolicy",
  "addClientTenantKey",
  "removeClientTenantKey",
  "addClientOrigin",
  "removeClientOrigin",
  "addClientReturnUrl",
  "removeClientReturnUrl",
  "setClientPreviewOrigins",
  "addClientPreviewReturnPath",
  "removeClientPreviewReturnPath",
] as const;

export const ADMIN_OPERATIONS = [...ADMIN_READS, ...ADMIN_WRITES] as const;
export type AdminOperationName = (typeof ADMIN_OPERATIONS)[number];

export function adminClassOf(field: string): AdminOperationClass | null {
  if (field.startsWith("__")) return null;
  if (ADMIN_READS.some((name) => name === field)) return "READ";
  return ADMIN_WRITES.some((name) => name === field) ? "WRITE" : "PANEL";
}
