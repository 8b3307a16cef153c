/** Begins every secret of an endpoint; base64 of its bytes follows. */
export const EVENT_SECRET_PREFIX = "whsec_";

/** What is signed, and sent in headers of its own. */
export interface SignedParts {
  /** The event's id, the same on every try. */
  readonly id: string;
  /** When the request is sent, in seconds since 1970. */
  readonly timestampSeconds: number;
  readonly body: string;
}

/**
 * The headers of Standard Webhooks 1.0.0: `webhook-signature` has a signature for each secret, so that a receiver which has only
 * one of two accepts it during a rotation.
 */
export async function eventHeaders(secrets: readonly string[], parts: SignedParts) {
  const { id, timestampSeconds, body } = parts;
  const signed = new TextEncoder().encode(`${id}.${timestampSeconds}.${body}`);
  const signatures = await Promise.all(secrets.map((secret) => sign(secret, signed)));
  return {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": `${timestampSeconds}`,
    "webhook-signature": signatures.map((signature) => `v1,${signature}`).join(" "),
  };
}

async function sign(secret: string, signed: Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = Uint8Array.from(atob(secret.slice(EVENT_SECRET_PREFIX.length)), (each) => each.charCodeAt(0));
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", bytes, algorithm, false, ["sign"]);
  return btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.sign("HMAC", key, signed))));
}
