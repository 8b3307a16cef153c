import { aboutClient } from "../audit/about.ts";
import type { AuditRecord } from "../audit/auditRecord.ts";
import { NOTHING_CHANGED } from "../audit/changes.ts";
import { type AdminRefusal, invalidField } from "../decisions/refusal.ts";
import { checkSupportReason } from "../support/supportChanges.ts";

type Client = Parameters<typeof aboutClient>[0];

/** The audit entry of an admin who opens the page of a person. Entries outlive the person's data: `label` is a hash of the id. */
export function personViewed(client: Client, label: string): AuditRecord {
  return aboutClient(client, "Person viewed", `Viewed what is stored about ${label}.`, NOTHING_CHANGED);
}

export function personExported(client: Client, label: string, reason: string): AuditRecord {
  const summary = `Exported what is stored about ${label}. Reason: ${reason}`;
  return aboutClient(client, "Person exported", summary, NOTHING_CHANGED);
}

/** A shorter id of a user is a part of many other words, such as the number of a ticket. */
const FEWEST_ID_CHARACTERS = 4;

/** Why a person's data is exported or erased. The reason stays in the audit log, so it must not name the person. */
export function checkPersonReason({
  reason,
  externalSubjectId,
}: {
  readonly reason: string;
  readonly externalSubjectId: string;
}): AdminRefusal | null {
  const id = externalSubjectId.trim().toLowerCase();
  const names = id.length >= FEWEST_ID_CHARACTERS && reason.toLowerCase().includes(id);
  return (
    checkSupportReason(reason) ??
    (names ? invalidField("reason", "The reason stays in the audit log: write it without the user's id.") : null)
  );
}

/** The same for a reason about a connection; of an erased connection, the id is not known. */
export function checkReasonAbout(
  connection: { readonly externalSubjectId: string } | null | undefined,
  reason: string,
): AdminRefusal | null {
  return checkPersonReason({ reason, externalSubjectId: connection?.externalSubjectId ?? "" });
}

/** A kind of record that can be stored about a person, by its table. */
export interface PersonRecord {
  readonly what: string;
  /** The rule by which it is deleted. */
  readonly storedUntil: string;
  /** True for records that an erasure leaves: ids, codes and counts. */
  readonly outlivesErasure: boolean;
}

const record = (what: string, storedUntil: string, outlivesErasure = false): PersonRecord => ({
  what,
  storedUntil,
  outlivesErasure,
});

/** What can be stored about a person, in the order in which it is shown. */
export const PERSON_RECORDS = {
  connection: record("Linked accounts.", "The erasure; the profile at most 30 days after it was last read."),
  provider_grant: record(
    "The consents: ages and states of the provider's tokens.",
    "The revoke that follows a disconnect, at most 24 hours.",
  ),
  content_item: record(
    "Posts.",
    "30 days after a post was last read; its ids and the time of that read until the erasure.",
  ),
  connect_attempt: record("Attempts to link an account.", "24 hours after the start."),
  event: record(
    "Events for the application's backend.",
    "30 days after the change, or the erasure; receipts until they are delivered.",
  ),
  import_line: record("Lines of imports.", "30 days after the start; the erasure leaves a hash."),
  revoke_settlement: record("Revocations in progress, which block a new connection.", "The revocation has settled."),
  tester: record(
    "Accounts that may be connected in sandbox mode.",
    "An admin removes it, or the erasure of the person.",
  ),
  job: record(
    "Background work, and the receipts of disconnects.",
    "7 days after the end; receipts 7 days after their creation.",
    true,
  ),
  data_deletion: record(
    "Requests of a provider to delete the person's data that have not ended.",
    "90 days after the request; the connections' ids until they are erased.",
    true,
  ),
  audit_entry: record(
    "What admins and the service did to these connections and jobs, and exports and erasures of this person.",
    "30 days after the action.",
    true,
  ),
} as const satisfies Readonly<Record<string, PersonRecord>>;
export type PersonTableName = keyof typeof PERSON_RECORDS;
