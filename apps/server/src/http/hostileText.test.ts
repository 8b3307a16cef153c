/** What the service first does with text from outside, on hostile text. */
import { createHmac, randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { retryAfterSeconds } from "@social-connect/domain";
import { expectLinearTime } from "@social-connect/testkit";
import { test } from "vitest";
import { openCursor } from "../platform/cursor.ts";
import { redactText, redactValue } from "../platform/log/redact.ts";
import { Secret } from "../platform/secrets/secret.ts";
import { createSecretBox } from "../platform/secrets/secretBox.ts";
import * as coerce from "../providers/coerce.ts";
import type { RegistrationAccess } from "../providers/contract.ts";
import { errorLabel, printableCode } from "../providers/errorLabel.ts";
import { parseExactJson } from "../providers/exactJson.ts";
import { verifyWebhook } from "../providers/provider-b/webhook.ts";
import { verifySignedRequest } from "../providers/provider-c/deauthorization.ts";
import { usedShare } from "../providers/provider-c/errors.ts";
import { boundBrowserSecret } from "./browserBinding.ts";
import { accepts } from "./panelBuild.ts";
import { sessionTokenOf } from "./panelCookie.ts";
import { panelPath } from "./panelPages.ts";

const NOW = new Date("2026-09-01T12:00:00.000Z");
const PUBLIC_URL = new URL("https://connect.example");
/** Node refuses longer request lines and headers, and the service longer forms. */
const LONGEST_QUERY = 16_384;

const registration = { clientSecret: "client-secret" } as RegistrationAccess;
const webhook = (header: string, body: string) =>
  verifyWebhook(registration, { header: () => header, body: Buffer.from(body) });
const signatureOf = (text: string) =>
  createHmac("sha256", registration.clientSecret).update(`1780000000.${text}`).digest("hex");
const secretBox = createSecretBox([{ id: "k1", key: new Secret(randomBytes(32).toString("base64")) }]);
/** Headers reject some characters; these return any value. */
const headers = (text: string) => ({ get: () => text }) as unknown as Headers;

const PARSERS: Readonly<Record<string, (text: string) => unknown>> = {
  redactText: redactText,
  "redactValue, as value": (text) => redactValue({ body: text, bytes: Buffer.from(text) }),
  "redactValue, as name": (text) => redactValue({ [text]: { [text]: text } }),
  "redactValue, as error": (text) =>
    redactValue({ err: new Error(text, { cause: { body: text, error: new Error(text, { cause: [text] }) } }) }),
  "redactValue, as many": (text) => redactValue({ parts: text.split(text.slice(0, 1)) }),
  "cookies of a connect attempt": (text) =>
    boundBrowserSecret({ req: { raw: { headers: headers(text) } } } as never, PUBLIC_URL, "connect", "a"),
  "cookies of the panel": (text) => sessionTokenOf({ headers: { cookie: text } } as IncomingMessage, PUBLIC_URL),
  "accept-encoding": (text) => accepts(text, "br"),
  "returnTo of the panel": (text) => panelPath(text, PUBLIC_URL),
  form: (text) => new URLSearchParams(text.slice(0, LONGEST_QUERY)).getAll("launchToken"),
  "address of a callback": (text) => new URL(`https://connect.example/callback?code=${text}&state=${text}`).search,
  cursor: (text) => [openCursor(secretBox, ["content"], text)],
  "cursor of our form": (text) => [openCursor(secretBox, ["content"], `v1.k1.${text}`)],
  signed_request: (text) => verifySignedRequest("client-secret", text),
  "payload of a signed_request": (text) => verifySignedRequest("client-secret", `${"a".repeat(43)}.${text}`),
  "header of a webhook": (text) => webhook(text, "{}"),
  "signatures of a webhook": (text) => webhook(`t=1780000000,s=${"a".repeat(64)},${text}`, "{}"),
  "body of a webhook": (text) => webhook(`t=1780000000,s=${signatureOf(text)}`, text),
  "JSON of a provider": parseExactJson,
  "JSON text of a provider": (text) => parseExactJson(`{"text":"${text}"}`),
  "Retry-After": (text) => retryAfterSeconds(text, NOW),
  "date in Retry-After": (text) => retryAfterSeconds(`Tue, ${text} GMT`, NOW),
  "usage header": (text) => usedShare(headers(text)),
  "code of a provider": (text) => [errorLabel(text), printableCode(text)],
  ...Object.fromEntries(
    [coerce.coerceString, coerce.coerceId, coerce.coerceCount, coerce.coerceNumber, coerce.coerceBoolean]
      .concat([coerce.coerceTime, coerce.coerceUrl] as never)
      .map((shape, index) => [`field of a provider ${index}`, (text: string) => shape.parse(text)]),
  ),
  "address of a provider": (text) => coerce.coerceUrl.parse(`https://${text}`),
  "address without tracking": (text) => coerce.withoutTracking(`https://media.example/${text}`),
};

test.each(Object.entries(PARSERS))("%s takes 1 MiB of hostile text in under 100 ms", (_, parser) => {
  expectLinearTime(parser);
});
