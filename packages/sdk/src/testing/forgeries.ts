/** Deliveries and forgeries, for `receiveEvent` and for other libraries of Standard Webhooks. */
import type { EventProblem } from "../events.ts";
import { deliveryOf, EVENT, newSecret, secondsOf, signatureOf } from "./signedEvents.ts";

/** When the deliveries are sent. No time is near a limit, so a library that reads the clock may take a minute. */
export const NOW = new Date();
const ID = "0b2f6a8e-54a7-4a5c-8d55-1f7f6f3b2c10";
const BODY = JSON.stringify(EVENT);
const [SECRET, OTHER] = [newSecret(), newSecret()];
const at = (seconds: number) => secondsOf(new Date(NOW.getTime() + seconds * 1_000));
const SENT = at(0);
/** A signature over something else than what is sent. */
const signed = (changes: { id?: string; timestamp?: string; body?: string | Uint8Array; secret?: string } = {}) =>
  signatureOf(changes.secret ?? SECRET, changes.id ?? ID, changes.timestamp ?? SENT, changes.body ?? BODY);
const GOOD = signed();
const [, BASE64 = ""] = GOOD.split(",");

/** What differs from a delivery. */
export interface Case {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly secret?: string;
}

/** The whole delivery of a case, and the secret of its receiver. */
export function deliveryFor({ headers, body = BODY, secret = SECRET }: Case) {
  return { headers: { ...deliveryOf(SECRET, { id: ID, timestamp: SENT }).headers, ...headers }, body, secret };
}

const signature = (text: string): Case => ({ headers: { "webhook-signature": text } });
const header = (name: string, text: string, sign: Parameters<typeof signed>[0] = {}): Case => ({
  headers: { "webhook-signature": signed(sign), [`webhook-${name}`]: text },
});
const signedBody = (body: string | Uint8Array): Case => ({ body, headers: { "webhook-signature": signed({ body }) } });

const unicode = BODY.replace("acme", "žluťoučký 🐎 acme");
/** What each receiver accepts. */
export const GENUINE: Readonly<Record<string, Case>> = {
  "a delivery": {},
  "with the body in bytes": { body: Buffer.from(BODY) },
  "with letters beyond ASCII": signedBody(unicode),
  "with letters beyond ASCII in bytes": signedBody(Buffer.from(unicode)),
  "signed with both secrets during a rotation, for the new one": signature(`${GOOD} ${signed({ secret: OTHER })}`),
  "signed with both secrets during a rotation, for the previous one": signature(`${signed({ secret: OTHER })} ${GOOD}`),
  "with a signature of another version as well": signature(`v1a,${BASE64} ${GOOD}`),
  "sent four minutes ago": header("timestamp", at(-240), { timestamp: at(-240) }),
  "sent four minutes in the future": header("timestamp", at(240), { timestamp: at(240) }),
};

const invalid = Buffer.concat([Buffer.from(BODY.slice(0, 3)), Buffer.from([0xff]), Buffer.from(BODY.slice(3))]);

const SIGNATURE = "SIGNATURE_MISMATCH";
/** What each receiver refuses, with the code of `receiveEvent`. */
export const FORGED: Readonly<Record<string, readonly [EventProblem, Case]>> = {
  "another body": [SIGNATURE, { body: BODY.replace("user-42", "user-43") }],
  "a body with white space added": [SIGNATURE, { body: `${BODY} ` }],
  "a body that was parsed and printed again": [SIGNATURE, { body: JSON.stringify(EVENT, null, 2) }],
  "a shortened body": [SIGNATURE, { body: BODY.slice(0, -1) }],
  "no body": [SIGNATURE, { body: "" }],
  "another id": [SIGNATURE, header("id", ID.replace("0b", "0c"))],
  "another time": [SIGNATURE, header("timestamp", at(1))],
  "an old time": ["TIMESTAMP_TOO_OLD", header("timestamp", at(-360), { timestamp: at(-360) })],
  "a time in the future": ["TIMESTAMP_TOO_NEW", header("timestamp", at(360), { timestamp: at(360) })],
  "a time in milliseconds": ["TIMESTAMP_INVALID", header("timestamp", `${SENT}000`, { timestamp: `${SENT}000` })],
  "a time that is no number": ["TIMESTAMP_INVALID", header("timestamp", "now", { timestamp: "now" })],
  "the id and the body without the time": [SIGNATURE, signature(signed({ timestamp: "" }))],
  "another secret": [SIGNATURE, { secret: OTHER }],
  "an empty key": [SIGNATURE, signature(signed({ secret: "" }))],
  "version 2": [SIGNATURE, signature(`v2,${BASE64}`)],
  "version 1a": [SIGNATURE, signature(`v1a,${BASE64}`)],
  "an upper-case version": [SIGNATURE, signature(`V1,${BASE64}`)],
  "no version": [SIGNATURE, signature(BASE64)],
  "a version only": [SIGNATURE, signature("v1,")],
  "a version without a comma": [SIGNATURE, signature("v1")],
  "two signatures of other secrets": [
    SIGNATURE,
    signature(`${signed({ secret: OTHER })} ${signed({ secret: newSecret() })}`),
  ],
  "two halves of a signature": [SIGNATURE, signature(`v1,${BASE64.slice(0, 22)} ${BASE64.slice(22)}`)],
  "a signature in hexadecimal": [SIGNATURE, signature(`v1,${Buffer.from(BASE64, "base64").toString("hex")}`)],
  "a signature without its padding": [SIGNATURE, signature(GOOD.replace("=", ""))],
  "a signature with more padding": [SIGNATURE, signature(`${GOOD}=`)],
  "a signature in other letters for the same bytes": [SIGNATURE, signature(nonCanonical(GOOD))],
  "a shortened signature": [SIGNATURE, signature(GOOD.slice(0, -4))],
  "a signature in lower case": [SIGNATURE, signature(GOOD.toLowerCase())],
  "white space after the comma": [SIGNATURE, signature(`v1, ${BASE64}`)],
  "a tab between signatures": [SIGNATURE, signature(`${signed({ secret: OTHER })}\t${GOOD}`)],
  "no id": ["HEADER_MISSING", header("id", "")],
  "no time": ["HEADER_MISSING", header("timestamp", "")],
  "no signature": ["HEADER_MISSING", header("signature", "")],
  "a secret that is no base64": ["SECRET_INVALID", { secret: "whsec_not base64!" }],
  "an empty secret": ["SECRET_INVALID", { secret: "whsec_", headers: { "webhook-signature": signed({ secret: "" }) } }],
  "no secret": ["SECRET_INVALID", { secret: "", headers: { "webhook-signature": signed({ secret: "" }) } }],
  "a body that is no JSON": ["BODY_NOT_JSON", signedBody("type=test")],
  "a signed body that is no UTF-8": ["BODY_NOT_JSON", signedBody(invalid)],
  "a body that begins with a byte order mark": ["BODY_NOT_JSON", signedBody(`\uFEFF${BODY}`)],
};

/** What the official library accepts and `receiveEvent` does not. The service sends none of it. */
export const STRICTER: Readonly<Record<string, readonly [EventProblem, Case]>> = {
  "a secret without its prefix": ["SECRET_INVALID", { secret: SECRET.replace("whsec_", "") }],
  "a time with a fraction": ["TIMESTAMP_INVALID", header("timestamp", `${SENT}.5`)],
  "a time with a sign": ["TIMESTAMP_INVALID", header("timestamp", `+${SENT}`)],
  "a time with white space around it": ["TIMESTAMP_INVALID", header("timestamp", ` ${SENT} `)],
  "a time with letters after it": ["TIMESTAMP_INVALID", header("timestamp", `${SENT}s`)],
  "an id with a full stop": ["ID_INVALID", header("id", `${ID}.1`, { id: `${ID}.1` })],
  "an id of 1,000 letters": ["ID_INVALID", header("id", "a".repeat(1_000), { id: "a".repeat(1_000) })],
  "a signature with more after a second comma": [SIGNATURE, signature(`${GOOD},more`)],
  "a signature after ten others": [SIGNATURE, signature(`${"v1, ".repeat(10)}${GOOD}`)],
  "a body in which bytes that are no UTF-8 count as another letter": [
    SIGNATURE,
    { body: invalid, headers: { "webhook-signature": signed({ body: invalid.toString() }) } },
  ],
  "a signed empty body": ["BODY_NOT_JSON", signedBody("")],
  "a body that is no object": ["NOT_AN_EVENT", signedBody("[]")],
  "an event without a type": ["NOT_AN_EVENT", signedBody(JSON.stringify({ ...EVENT, type: undefined }))],
  "an event without a time": ["NOT_AN_EVENT", signedBody(JSON.stringify({ ...EVENT, timestamp: "today" }))],
  "an event without data": ["NOT_AN_EVENT", signedBody(JSON.stringify({ ...EVENT, data: [] }))],
  "a body of 100 kB": ["BODY_TOO_LARGE", signedBody(JSON.stringify({ ...EVENT, more: "x".repeat(100_000) }))],
};

/** Another last letter, with other unused bits. */
function nonCanonical(text: string): string {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const last = text.at(-2) ?? "";
  return `${text.slice(0, -2)}${letters[letters.indexOf(last) + 1]}=`;
}
