import { createHmac, timingSafeEqual } from "node:crypto";
import { coerceId, coerceTime, isRecord } from "../coerce.ts";
import type { DeauthorizedAccount, RegistrationAccess } from "../contract.ts";
import { parseExactJson } from "../exactJson.ts";

const SIGNED_REQUEST = /^([A-Za-z0-9_-]+)=*\.([A-Za-z0-9_-]+)=*$/;

/**
 * Verifies a `signed_request`: `base64url(signature).base64url(payload)`, HMAC-SHA256 with the client secret over the
 * encoded payload. Returns the payload; null unless signed by this secret with this algorithm.
 */
export function verifySignedRequest(clientSecret: string, signedRequest: string): Record<string, unknown> | null {
  const match = SIGNED_REQUEST.exec(signedRequest);
  if (match === null) return null;
  const [, signature = "", encoded = ""] = match;
  const payloadAsSent = signedRequest.slice(signedRequest.indexOf(".") + 1);
  const expected = createHmac("sha256", clientSecret).update(payloadAsSent).digest();
  const given = Buffer.from(signature, "base64url");
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  const payload = parseExactJson(Buffer.from(encoded, "base64url").toString());
  if (!isRecord(payload)) return null;
  const { algorithm } = payload;
  return typeof algorithm === "string" && algorithm.toUpperCase() === "HMAC-SHA256" ? payload : null;
}

/** The user of a deauthorize callback or a data deletion request; null when it is forged or names no user. */
export function verifySignedUser(registration: RegistrationAccess, signedRequest: string): DeauthorizedAccount | null {
  const payload = verifySignedRequest(registration.clientSecret, signedRequest);
  const providerUserId = coerceId.parse(payload?.user_id);
  return providerUserId === null ? null : { providerUserId, issuedAt: coerceTime.parse(payload?.issued_at) };
}
