import type { SocialProvider } from "@social-connect/contract";
import { SecretBoxError } from "../../platform/secrets/secretBox.ts";
import type { RegistrationAccess } from "../../providers/contract.ts";
import { registrationAccess } from "../registrations/registrationAccess.ts";
import type { Service } from "../service.ts";

/** A registration whose secret signed a message, and what the message says. */
export interface Fitting<Message> {
  readonly id: string;
  readonly access: RegistrationAccess;
  readonly message: Message;
}

/**
 * The registrations whose secret signed a provider's message, in any status. Registrations can share a client and its
 * secret, for example an old and a new one: a message concerns all of them. `verify` returns null for a secret that does not
 * fit.
 *
 * @throws SecretBoxError if none fits, and the secret of one cannot be read
 */
export async function fittingRegistrations<Message>(
  service: Service,
  provider: SocialProvider,
  verify: (registration: RegistrationAccess) => Message | null,
  now: Date,
): Promise<Fitting<Message>[]> {
  const found: Fitting<Message>[] = [];
  let unreadable: SecretBoxError | null = null;
  for (const registration of await service.prisma.providerRegistration.findMany({ where: { provider } })) {
    try {
      const access = registrationAccess(service, registration, now);
      const message = verify(access);
      if (message !== null) found.push({ id: registration.id, access, message });
    } catch (error) {
      // One registration that cannot be read does not hide the message from the others.
      if (!(error instanceof SecretBoxError)) throw error;
      unreadable = error;
    }
  }
  if (found.length === 0 && unreadable !== null) throw unreadable;
  return found;
}
