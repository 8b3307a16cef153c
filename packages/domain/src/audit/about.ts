import type { SocialProvider } from "@social-connect/contract";
import type { AuditAction } from "./auditActions.ts";
import type { AuditRecord, AuditTargetType } from "./auditRecord.ts";
import type { AuditChange } from "./changes.ts";

export function about(
  type: AuditTargetType,
  id: string,
  action: AuditAction,
  summary: string,
  changes: readonly AuditChange[],
): AuditRecord {
  return { action, summary, target: { type, id }, changes };
}

export function aboutClient(
  { id, slug }: { readonly id: string; readonly slug: string },
  action: AuditAction,
  summary: string,
  changes: readonly AuditChange[],
): AuditRecord {
  return { ...about("CLIENT", id, action, summary, changes), clientSlug: slug };
}

export interface AuditedConnection {
  readonly id: string;
  readonly provider: SocialProvider;
  readonly clientSlug: string;
}

export function aboutConnection(
  { id, clientSlug }: AuditedConnection,
  action: AuditAction,
  summary: string,
  changes: readonly AuditChange[],
): AuditRecord {
  return { ...about("CONNECTION", id, action, summary, changes), clientSlug };
}
