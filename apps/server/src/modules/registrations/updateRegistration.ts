import {
  mayChangeRegistration,
  needsSecretAgain,
  originChanges,
  registrationChangeSummary,
} from "@social-connect/domain";
import type { ProviderRegistration } from "../../_generated/prisma/client.ts";
import type { AdminActor } from "../admin/actor.ts";
import { adminTransaction } from "../admin/adminTransaction.ts";
import { ConflictError, InvalidInputError } from "../admin/errors.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import type { Service } from "../service.ts";
import { lockRegistration } from "./changeRegistration.ts";
import { clientSecretBinding } from "./registrationAccess.ts";
import type { RegistrationInput } from "./registrationInput.ts";
import { checkRegistrationInput, knownClientIds } from "./registrationInput.ts";
import { readAddresses } from "./registrationParts.ts";

const SECRET_AGAIN = "An address moves to another origin. Enter the client secret again.";

/**
 * Updates a registration. One that is published is paused first, so that what was checked is what serves. A stored secret
 * goes to no other origin: an address that moves to one needs the secret again.
 */
export async function updateRegistration(
  service: Service,
  actor: AdminActor,
  id: string,
  input: RegistrationInput,
): Promise<ProviderRegistration> {
  const now = await service.clock.now();
  return adminTransaction(service, async (transaction) => {
    const registration = await lockRegistration(transaction, id);
    if (!mayChangeRegistration(registration.status)) {
      throw new ConflictError(null, "A published registration cannot be changed: pause it first.");
    }
    const checked = checkRegistrationInput(service, registration.provider, input);
    const before = readAddresses(registration);
    if (input.clientSecret === null && needsSecretAgain(before, checked.addresses)) {
      throw new InvalidInputError("clientSecret", SECRET_AGAIN);
    }
    const clientIds = await knownClientIds(transaction, input.clientIds);
    await recordAudit(transaction, actor, now, {
      action: "Registration changed",
      target: { type: "REGISTRATION", id: registration.id },
      summary: registrationChangeSummary(registration, {
        replacesSecret: input.clientSecret !== null,
        moves: originChanges(before, checked.addresses),
      }),
    });
    const binding = clientSecretBinding(registration.id);
    return transaction.providerRegistration.update({
      where: { id: registration.id },
      data: {
        ...checked,
        ...(input.clientSecret === null
          ? {}
          : { clientSecretSealed: service.secretBox.seal(input.clientSecret, binding) }),
        applications: { deleteMany: {}, create: clientIds.map((applicationId) => ({ applicationId })) },
        updatedAt: now,
      },
    });
  });
}
