import type { SocialProvider } from "@social-connect/contract";
import { AUDITED } from "@social-connect/domain";
import type { ProviderRegistration } from "../../_generated/prisma/client.ts";
import { newId } from "../../platform/ids.ts";
import type { AdminActor } from "../admin/actor.ts";
import { adminTransaction } from "../admin/adminTransaction.ts";
import { InvalidInputError } from "../admin/errors.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import type { Service } from "../service.ts";
import { clientSecretBinding } from "./registrationAccess.ts";
import type { RegistrationInput } from "./registrationInput.ts";
import { checkRegistrationInput, knownClientIds } from "./registrationInput.ts";

/** Writes down how the service is known at a provider, as a draft that serves nobody. The secret is sealed and never shown. */
export async function createRegistration(
  service: Service,
  actor: AdminActor,
  provider: SocialProvider,
  input: RegistrationInput,
): Promise<ProviderRegistration> {
  const checked = checkRegistrationInput(service, provider, input);
  const { clientSecret } = input;
  if (clientSecret === null) throw new InvalidInputError("clientSecret", "A new registration needs its client secret.");
  const now = await service.clock.now();
  const id = newId();
  return adminTransaction(service, async (transaction) => {
    const clientIds = await knownClientIds(transaction, input.clientIds);
    await recordAudit(transaction, actor, now, {
      ...AUDITED.registrationCreated({ provider, clientId: checked.clientId }),
      target: { type: "REGISTRATION", id },
    });
    return transaction.providerRegistration.create({
      data: {
        ...checked,
        id,
        provider,
        status: "DRAFT",
        clientSecretSealed: service.secretBox.seal(clientSecret, clientSecretBinding(id)),
        applications: { create: clientIds.map((applicationId) => ({ applicationId })) },
        createdAt: now,
        updatedAt: now,
      },
    });
  });
}
