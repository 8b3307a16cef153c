import { randomBytes } from "node:crypto";
import type { EventEndpoint } from "../../_generated/prisma/client.ts";
import { Secret } from "../../platform/secrets/secret.ts";
import type { SecretBox } from "../../platform/secrets/secretBox.ts";

const SECRET_BYTES = 32;

/** A new signing secret, as the Standard Webhooks specification writes it. */
export function newEventSecret(): Secret {
  return new Secret(`whsec_${randomBytes(SECRET_BYTES).toString("base64")}`);
}

/** Binds a sealed secret to its endpoint. A rotation moves it from one column to the other. */
export function eventSecretBinding(endpointId: string): string {
  return `event_endpoint:${endpointId}:secret`;
}

export function sealEventSecret(secretBox: SecretBox, endpointId: string, secret: Secret): string {
  return secretBox.seal(secret.reveal(), eventSecretBinding(endpointId));
}

/** The secrets that sign an event now: the current one, and after a rotation the previous one until its end. */
export function openEventSecrets(
  secretBox: SecretBox,
  endpoint: Pick<EventEndpoint, "id" | "secretSealed" | "previousSecretSealed" | "previousSecretUntil">,
  now: Date,
): Secret[] {
  const { id, secretSealed, previousSecretSealed, previousSecretUntil } = endpoint;
  const isPreviousValid = previousSecretSealed !== null && previousSecretUntil !== null && previousSecretUntil > now;
  const sealed = isPreviousValid ? [secretSealed, previousSecretSealed] : [secretSealed];
  return sealed.map((one) => new Secret(secretBox.open(one, eventSecretBinding(id))));
}
