import { newId, newSecretHex } from "../../platform/ids.ts";
import { Secret } from "../../platform/secrets/secret.ts";
import type { Service } from "../service.ts";
import type { Caller } from "./checkKey.ts";

/**
 * The id and the secrets, each 64 hexadecimal characters, of the row that a call creates. It `mayExist` because the call has an
 * idempotency key: then this is a repetition.
 *
 * Derives id and secrets from the idempotency key, the application, the operation and the input, so that a repetition of the
 * call finds the row and returns the same secrets, without storing either. They are random for a call without the key.
 */
export function rowOfCall(
  { secretBox }: Pick<Service, "secretBox">,
  { application, idempotencyKey }: Caller,
  operation: string,
  input: unknown,
) {
  if (idempotencyKey === undefined) {
    return { id: newId(), mayExist: false, secret: () => new Secret(newSecretHex()) };
  }
  const call = [operation, application.id, idempotencyKey, input];
  const derive = (name: string) => secretBox.derive(JSON.stringify([name, ...call]));
  return { id: uuidOf(derive("id")), mayExist: true, secret: (name: string) => new Secret(derive(name)) };
}

/** In the format of random UUIDs (RFC 9562, version 4). */
function uuidOf(hex: string): string {
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
