import type { ErrorCode } from "@social-connect/contract";
import type { AuditRecord } from "../audit/auditRecord.ts";
import type { AdminRefusal, Refusal } from "./refusal.ts";

/**
 * What a decision changes, as plain data. The caller applies all of it in one transaction and adds only secrets and
 * their hashes.
 */
export interface Change<Patch, FollowUp = never> {
  /** New values of the record's columns. */
  readonly patch: Patch;
  /** Changes of other records, in the order in which they apply. */
  readonly followUps: readonly FollowUp[];
}

export interface AuditedChange<Patch, FollowUp = never> extends Change<Patch, FollowUp> {
  readonly audit: AuditRecord;
}

export function auditedChange<Patch>(patch: Patch, audit: AuditRecord): AuditedChange<Patch> {
  return { patch, followUps: [], audit };
}

/** The outcome of an admin's change; `null` when the record has the requested state already. */
export type AdminDecision<Patch, FollowUp = never> = AdminRefusal | AuditedChange<Patch, FollowUp> | null;

export function isRefusal<Decision extends object>(
  decision: Decision | null,
): decision is Extract<Decision, Refusal | AdminRefusal | Refusal<ErrorCode>> {
  return decision !== null && "code" in decision;
}
