import type { DeletedCounts } from "@social-connect/domain";
import type { SessionActor } from "../admin/actor.ts";
import { eraseConnections } from "../operations/eraseConnections.ts";
import type { Service } from "../service.ts";
import { findScope, type SupportScope } from "../support/searchConnections.ts";
import { findPerson } from "./findPerson.ts";
import { type PersonView, readPerson } from "./readPerson.ts";

export interface PersonErasure {
  /** What is still stored, and the receipts of what the workers erase. */
  readonly person: PersonView;
  /** Rows that were deleted immediately; the receipts count the others. */
  readonly deleted: DeletedCounts;
  /** Connections that could not be disconnected; repeat the erasure. */
  readonly failed: number;
  /** Testers that stay, because another person has linked the same account. */
  readonly keptTesters: number;
}

/** Revokes and erases everything about a client's user. Workers do the rest; safe to repeat. */
export async function erasePerson(
  service: Service,
  actor: SessionActor,
  { reason, ...scope }: SupportScope & { readonly reason: string },
): Promise<PersonErasure> {
  const subject = await findScope(service, scope);
  const report = await eraseConnections(service, subject, { wait: async () => false, by: { actor, reason } });
  const person = await readPerson(service, await findPerson(service, subject));
  const { connect_attempt = 0, tester = 0 } = report.deleted;
  return {
    person,
    deleted: { connect_attempt, tester },
    failed: report.failed.length,
    keptTesters: report.keptTesters,
  };
}
