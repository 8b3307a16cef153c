import type { SocialProvider } from "@social-connect/contract";
import type { AuditAction } from "./auditActions.ts";
import type { AuditRecord, AuditTargetType } from "./auditRecord.ts";

export function about(type: AuditTargetType, id: string, action: AuditAction, summary: string): AuditRecord {
  return { action, summary, target: { type, id } };
}

export function aboutClient(
  { id, slug }: { readonly id: string; readonly slug: string },
  action: AuditAction,
  summary: string,
): AuditRecord {
  return { ...about("CLIENT", id, action, summary), clientSlug: slug };
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
): AuditRecord {
  return { ...about("CONNECTION", id, action, summary), clientSlug };
}
