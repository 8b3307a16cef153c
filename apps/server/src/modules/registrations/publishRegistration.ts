import type { ProviderRegistration } from "../../_generated/prisma/client.ts";
import { AppError } from "../../platform/appError.ts";
import { asUuid } from "../../platform/uuid.ts";
import type { AdminActor, SessionActor } from "../admin/actor.ts";
import { ConflictError, NotFoundError } from "../admin/errors.ts";
import type { Service } from "../service.ts";
import { moveStoredRegistration, nextStatus } from "./changeRegistration.ts";
import type { AddressProblem } from "./probeAddresses.ts";
import { probeAddresses } from "./probeAddresses.ts";
import { enforceAddresses } from "./registrationInput.ts";
import { readAddresses } from "./registrationParts.ts";

/** Some address of a registration does not answer as its wire profile does. */
export class ProviderCheckError extends AppError {
  readonly problems: readonly AddressProblem[];

  constructor(problems: readonly AddressProblem[]) {
    super({ code: "CONFLICT", message: "The provider's addresses do not answer as they should." });
    this.name = "ProviderCheckError";
    this.problems = problems;
  }
}

/**
 * Opens a registration to the applications it serves, once its addresses answer as the wire profile should. They are asked
 * outside of any transaction; what is published is what was asked, or nothing.
 */
export async function publishRegistration(
  service: Service,
  actor: SessionActor,
  id: string,
): Promise<ProviderRegistration> {
  const now = await service.clock.now();
  const registrationId = asUuid(id);
  const asked =
    registrationId && (await service.prisma.providerRegistration.findUnique({ where: { id: registrationId } }));
  if (!asked) throw new NotFoundError("The registration does not exist.");
  nextStatus(asked, "PUBLISH");
  // Written under other rules, or in another mode: told at its field, as when it is written.
  enforceAddresses(service, asked.provider, readAddresses(asked));
  const problems = await probeAddresses(service, asked, now);
  if (problems.length > 0) throw new ProviderCheckError(problems);
  return moveStoredRegistration(service, actor, id, "PUBLISH", (registration) => {
    if (registration.updatedAt.getTime() === asked.updatedAt.getTime()) return;
    throw new ConflictError("ROW_BUSY", "The registration was changed meanwhile. Look at it and try once more.");
  });
}

/** Starts no connection any more; those that are there wait, and reading one is AUTHORIZATION_SUSPENDED. */
export function pauseRegistration(service: Service, actor: AdminActor, id: string): Promise<ProviderRegistration> {
  return moveStoredRegistration(service, actor, id, "PAUSE");
}

/** Serves nobody any more: reading a connection of it is CAPABILITY_UNAVAILABLE. */
export function disableRegistration(service: Service, actor: AdminActor, id: string): Promise<ProviderRegistration> {
  return moveStoredRegistration(service, actor, id, "DISABLE");
}
