import { createHmac, timingSafeEqual } from "node:crypto";
import { coerceId, coerceObject, coerceString, coerceTime } from "../coerce.ts";
import type { RegistrationAccess, Webhook, WebhookMessage } from "../contract.ts";
import { parseExactJson } from "../exactJson.ts";

const SIGNATURE_HEADER = "TikTok-Signature";
const SIGNATURE = /^[0-9a-f]{64}$/i;
/** More than any change of a secret needs: each one is compared. */
const MAX_SIGNATURES = 5;

const webhookWire = coerceObject({
  client_key: coerceString,
  event: coerceString,
  create_time: coerceTime,
  user_openid: coerceId,
});

/**
 * Verifies a webhook: the header is `t=<Unix seconds>,s=<signature>`, and the signature is HMAC-SHA256 with the client
 * secret over `t`, "." and the body, in hexadecimal. One of several signatures has to match. null unless signed by this
 * registration's secret.
 */
export function verifyWebhook({ clientSecret }: RegistrationAccess, { header, body }: WebhookMessage): Webhook | null {
  const signed = readHeader(header(SIGNATURE_HEADER) ?? "");
  const signedAt = coerceTime.parse(signed?.time);
  if (signed === null || signedAt === null) return null;
  const expected = createHmac("sha256", clientSecret).update(`${signed.time}.`).update(body).digest();
  if (!signed.signatures.some((given) => timingSafeEqual(Buffer.from(given, "hex"), expected))) return null;
  const { client_key, event, create_time, user_openid } = webhookWire.parse(parseExactJson(body.toString()));
  const base = { signedAt, clientId: client_key };
  if (event !== "authorization.removed")
    return { ...base, event: event === null ? "malformed" : "other", account: null };
  if (user_openid === null) return { ...base, event: "malformed", account: null };
  // A repeated delivery is signed later than its event; a clock that is ahead must not reach later consents.
  const issuedAt = create_time !== null && create_time > signedAt ? signedAt : create_time;
  return { ...base, event: "authorization-removed", account: { providerUserId: user_openid, issuedAt } };
}

/** The time and the signatures; null when either is missing or malformed, or when there are two times. */
function readHeader(text: string): { readonly time: string; readonly signatures: readonly string[] } | null {
  const parts = text.split(",").map((part) => part.trim());
  const valuesOf = (name: string) => parts.filter((part) => part.startsWith(`${name}=`)).map((part) => part.slice(2));
  const [time, ...otherTimes] = valuesOf("t");
  const signatures = valuesOf("s");
  if (time === undefined || otherTimes.length > 0 || !/^\d{1,15}$/.test(time)) return null;
  const isReadable = signatures.length <= MAX_SIGNATURES && signatures.every((one) => SIGNATURE.test(one));
  return isReadable && signatures.length > 0 ? { time, signatures } : null;
}
