import { createHmac, randomBytes, randomUUID } from "node:crypto";
import type { SocialConnectEvent } from "@social-connect/contract";

/** A secret as the service creates them. */
export function newSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

/** A request of the service. */
export interface Delivery {
  readonly headers: { readonly [name: string]: string };
  readonly body: string;
}

/** `v1,` and the signature of an event, by Node's own crypto. */
export function signatureOf(secret: string, id: string, timestamp: string, body: string | Uint8Array): string {
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest("base64")}`;
}

export const EVENT: SocialConnectEvent = {
  type: "connection.reconnect_required",
  timestamp: "2026-11-30T09:00:00.000Z",
  data: {
    provider: "PROVIDER_A",
    tenantKey: "acme",
    externalSubjectId: "user-42",
    connectionId: "2f0e4a3c-7d4f-4c7b-9e57-0f6c2b7d1a11",
    status: "RECONNECT_REQUIRED",
    code: "GRANT_ENDED",
  },
};

/** A delivery, signed as the service signs. */
export function deliveryOf(
  secret: string,
  { body = JSON.stringify(EVENT), id = randomUUID() as string, timestamp = secondsOf(new Date()) } = {},
): Delivery {
  return {
    headers: {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": timestamp,
      "webhook-signature": signatureOf(secret, id, timestamp, body),
    },
    body,
  };
}

/** Seconds since 1970. */
export function secondsOf(time: Date): string {
  return String(Math.floor(time.getTime() / 1_000));
}
