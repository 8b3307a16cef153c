import type { AuditAction } from "@social-connect/domain";
import { sessionSummary } from "@social-connect/domain";
import { recordAudit } from "../audit/recordAudit.ts";
import type { Transaction } from "../service.ts";

/** The audit entry of a sign-in, a confirmation or a sign-out: the admin is who acts, and whom it is about. */
export function recordSession(
  transaction: Transaction,
  { id, email }: { readonly id: string; readonly email: string },
  action: AuditAction & ("Admin signed in" | "Admin confirmed" | "Admin signed out"),
  at: Date,
): Promise<void> {
  const target = { type: "ADMIN", id } as const;
  return recordAudit(transaction, {
    actor: { via: "member", email },
    at,
    action,
    target,
    summary: sessionSummary(action, email),
  });
}
