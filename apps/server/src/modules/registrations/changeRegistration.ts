import type { RegistrationStatus } from "@social-connect/contract";
import type { RegistrationEvent } from "@social-connect/domain";
import { AUDITED, moveRegistration, registrationMoveRefusal } from "@social-connect/domain";
import type { ProviderRegistration } from "../../_generated/prisma/client.ts";
import { asUuid } from "../../platform/uuid.ts";
import type { AdminActor } from "../admin/actor.ts";
import { adminTransaction } from "../admin/adminTransaction.ts";
import { ConflictError, NotFoundError } from "../admin/errors.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import type { Service, Transaction } from "../service.ts";

const AUDITED_MOVES = {
  PUBLISH: AUDITED.registrationPublished,
  PAUSE: AUDITED.registrationPaused,
  DISABLE: AUDITED.registrationDisabled,
} as const satisfies Record<RegistrationEvent, unknown>;

/** Holds a registration's row until the transaction ends. */
export async function lockRegistration(transaction: Transaction, id: string): Promise<ProviderRegistration> {
  const registrationId = asUuid(id);
  if (registrationId === null) throw new NotFoundError("The registration does not exist.");
  await transaction.$queryRaw`SELECT 1 FROM provider_registration WHERE id = ${registrationId}::uuid FOR UPDATE`;
  const registration = await transaction.providerRegistration.findUnique({ where: { id: registrationId } });
  if (registration === null) throw new NotFoundError("The registration does not exist.");
  return registration;
}

/** Moves a registration to its next status, with the audit entry. CONFLICT when it cannot make that move. */
export async function moveStoredRegistration(
  service: Service,
  actor: AdminActor,
  id: string,
  event: RegistrationEvent,
  check: (registration: ProviderRegistration) => void = () => undefined,
): Promise<ProviderRegistration> {
  const now = await service.clock.now();
  return adminTransaction(service, async (transaction) => {
    const registration = await lockRegistration(transaction, id);
    check(registration);
    const status = nextStatus(registration, event);
    await recordAudit(transaction, actor, now, {
      ...AUDITED_MOVES[event](registration),
      target: { type: "REGISTRATION", id: registration.id },
    });
    return transaction.providerRegistration.update({
      where: { id: registration.id },
      data: { status, updatedAt: now },
    });
  });
}

/** The status after the event. CONFLICT, without a reason of its own, when a registration cannot make that move. */
export function nextStatus({ status }: ProviderRegistration, event: RegistrationEvent): RegistrationStatus {
  const next = moveRegistration(status, event);
  if (next === null) throw new ConflictError(null, registrationMoveRefusal(status));
  return next;
}
