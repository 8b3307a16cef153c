import type { AuditAction } from "./auditActions.ts";
import type { AuditChange } from "./changes.ts";

/** An audit entry, before the caller adds who acted and when. */
export interface AuditRecord {
  readonly action: AuditAction;
  /** One sentence for people. Never a secret. */
  readonly summary: string;
  readonly target: { readonly type: AuditTargetType; readonly id: string };
  /** Slug of the client that changed. */
  readonly clientSlug?: string;
  /** What was stored before and after; of something new only after, of something removed only before. */
  readonly changes: readonly AuditChange[];
}

export const AUDIT_TARGET_TYPES = ["API_KEY", "ADMIN", "CLIENT", "CONNECTION", "JOB", "REGISTRATION"] as const;
export type AuditTargetType = (typeof AUDIT_TARGET_TYPES)[number];

const KEY_ID_CHARACTERS_SHOWN = 8;

/** The actor's name for a call with an admin API key. Source: service description, part 5, admin rule 8. */
export function keyActorName(keyId: string): string {
  return `Via API key ${keyId.slice(0, KEY_ID_CHARACTERS_SHOWN)}`;
}

export const SYSTEM_ACTOR_NAME = "System";
