import type { AuditAction, ClientRefusal } from "@social-connect/domain";
import type { Application, Prisma } from "../../_generated/prisma/client.ts";
import { asUuid } from "../../platform/uuid.ts";
import type { AdminActor } from "../admin/actor.ts";
import { adminTransaction } from "../admin/adminTransaction.ts";
import { ConflictError, InvalidInputError, NotFoundError } from "../admin/errors.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import { failUnreturnable } from "../connect/endAttempts.ts";
import { failUnreturnableIdentities } from "../identity/identityAttempt.ts";
import type { Service, Transaction } from "../service.ts";

export interface ClientChange {
  readonly data: Prisma.ApplicationUpdateInput;
  readonly action: AuditAction;
  readonly summary: string;
}

/** Looks at the client as it is and says what is to change; null when it is so already. */
export type DecideChange = (
  client: Application,
  transaction: Transaction,
  now: Date,
) => ClientChange | null | Promise<ClientChange | null>;

/**
 * Changes a client: its row is held, the rules look at what it is now, and the change is written with its audit entry or
 * not at all. Answers with the client as it is then.
 */
export async function changeClient(
  service: Service,
  actor: AdminActor,
  id: string,
  decide: DecideChange,
): Promise<Application> {
  const now = await service.clock.now();
  return adminTransaction(service, async (transaction) => {
    const client = await lockClient(transaction, id);
    const change = await decide(client, transaction, now);
    if (change === null) return client;
    const { action, summary } = change;
    const target = { type: "CLIENT", id: client.id } as const;
    await recordAudit(transaction, { actor, at: now, action, target, clientSlug: client.slug, summary });
    const data = { ...change.data, updatedAt: now };
    const changed = await transaction.application.update({ where: { id: client.id }, data });
    await failUnreturnable(service, transaction, changed, now);
    await failUnreturnableIdentities(transaction, changed, now);
    return changed;
  });
}

/** Holds a client's row until the transaction ends. */
export async function lockClient(transaction: Transaction, id: string): Promise<Application> {
  const clientId = asUuid(id);
  if (clientId === null) throw new NotFoundError("The client");
  await transaction.$queryRaw`SELECT 1 FROM application WHERE id = ${clientId}::uuid FOR UPDATE`;
  const client = await transaction.application.findUnique({ where: { id: clientId } });
  if (client === null) throw new NotFoundError("The client");
  return client;
}

/** Throws what a rule refused; does nothing when it allowed. */
export function enforceClientRule(refusal: ClientRefusal | null): void {
  switch (refusal?.code) {
    case "BAD_USER_INPUT":
      throw new InvalidInputError(refusal.field, refusal.message);
    case "CONFLICT":
      throw new ConflictError(refusal.reason, refusal.message);
    case "NOT_FOUND":
      throw new NotFoundError("What is to be removed");
  }
}

/** Plain http on loopback is for sandbox and development. */
export function originRules({ mode }: Pick<Service, "mode">): { readonly allowLoopbackHttp: boolean } {
  return { allowLoopbackHttp: mode === "sandbox" };
}
