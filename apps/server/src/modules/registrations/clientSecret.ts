import { createHash } from "node:crypto";
import type { ProviderRegistration } from "../../_generated/prisma/client.ts";
import { type SecretBox, SecretBoxError } from "../../platform/secrets/secretBox.ts";
import { providerAddresses } from "../../providers/registration.ts";

/** What decides where a client secret is sent. */
export type SecretDestination = Pick<ProviderRegistration, "id" | "provider" | "clientId" | "addresses">;
export type SealedRegistration = SecretDestination & Pick<ProviderRegistration, "clientSecretSealed">;

/** The row and column of a registration's encrypted secret; a secret moved to another row does not decrypt. */
export function clientSecretBinding(registrationId: string): string {
  return `provider_registration/${registrationId}/client_secret`;
}

/** No client secret contains it; see the domain's check of credentials. */
const SEPARATOR = "\u0000";

/**
 * Encrypts a client secret together with the digest of its destination, so that the secret is sent nowhere else. The digest
 * is part of the value and not of its binding, so that rotation does not need it.
 */
export function sealClientSecret(secretBox: SecretBox, registration: SecretDestination, secret: string): string {
  return secretBox.seal(digestOf(registration) + SEPARATOR + secret, clientSecretBinding(registration.id));
}

/**
 * Decrypts a client secret.
 *
 * @throws SecretBoxError if it belongs to another row, or if the row's provider, client id or addresses were changed
 * outside of the service
 */
export function openClientSecret(secretBox: SecretBox, registration: SealedRegistration): string {
  const { id, clientSecretSealed } = registration;
  const text = secretBox.open(clientSecretSealed, clientSecretBinding(id));
  const expected = digestOf(registration) + SEPARATOR;
  if (text.startsWith(expected)) return text.slice(expected.length);
  throw new SecretBoxError(
    `the provider, client id or addresses of registration ${id} were changed outside of the service`,
  );
}

export function isClientSecretUsable(secretBox: SecretBox, registration: SealedRegistration): boolean {
  try {
    openClientSecret(secretBox, registration);
    return true;
  } catch (error) {
    if (error instanceof SecretBoxError) return false;
    throw error;
  }
}

function digestOf({ provider, clientId, addresses }: SecretDestination): string {
  const parsed = providerAddresses.safeParse(addresses);
  if (!parsed.success) return "";
  const { authorization, token, revocation = null, api, issuer = null } = parsed.data;
  const destination = [provider, clientId, authorization, token, revocation, api, issuer];
  return createHash("sha256").update(JSON.stringify(destination)).digest("base64url");
}
