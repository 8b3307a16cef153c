import { ConfigurationError, requireObject, revealed, Secret, type SecretText } from "@social-connect/sdk-core";
import type { ConnectSession, IdpIdentitySession } from "./_generated/types.ts";
import { launchTokenOf } from "./launchToken.ts";

/** Names the format in the exported text, so that a person who finds it knows that it is secret. */
const KIND = "social-connect-secret-session";
const TEXTS = ["id", "launchUrl", "expiresAt", "resultExpiresAt"] as const;
const PROOF = "resultProof";

/**
 * A session as one secret text, for another process: `exportSession(session).reveal()` contains the launch token and the
 * proof, so store it encrypted and only until `expiresAt`. It is not signed: an attacker who can change the stored text
 * decides where a browser sends the token. JSON of a session contains neither.
 */
export function exportSession(session: ConnectSession | IdpIdentitySession): Secret {
  requireObject("session", session);
  const names = PROOF in session ? [...TEXTS, PROOF] : TEXTS;
  const texts = Object.fromEntries(names.map((name) => [name, textIn(session, name)]));
  return new Secret(JSON.stringify({ kind: KIND, ...texts, launchToken: launchTokenOf(session.launchToken) }));
}

/**
 * The session that `exportSession` exported; one of `connect` has no `resultProof`. Throws ConfigurationError for any other
 * text, without repeating it. The service checks the expiry, and whose session it is.
 */
export function importSession(exported: SecretText): ConnectSession | IdpIdentitySession {
  const fields = fieldsOf(revealed(exported));
  const [id = "", launchUrl = "", expiresAt = "", resultExpiresAt = ""] = TEXTS.map((name) => textIn(fields, name));
  if ([expiresAt, resultExpiresAt].some((time) => Number.isNaN(Date.parse(time)))) {
    throw new ConfigurationError("The session's expiresAt and resultExpiresAt must be times.");
  }
  const launchToken = new Secret(launchTokenOf(fields["launchToken"]));
  const session = { id, launchUrl, launchToken, expiresAt, resultExpiresAt };
  return PROOF in fields ? { ...session, resultProof: new Secret(textIn(fields, PROOF)) } : session;
}

function fieldsOf(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const fields: unknown = JSON.parse(text ?? "");
    if (typeof fields === "object" && fields !== null && "kind" in fields && fields.kind === KIND) return { ...fields };
  } catch {
    // The message of JSON.parse repeats a piece of the text.
  }
  throw new ConfigurationError("This is not a session that exportSession exported.");
}

/** A text or a Secret in a session. */
function textIn(session: object, name: string): string {
  const text = revealed(Reflect.get(session, name));
  if (text !== undefined && text !== "" && text !== "[redacted]") return text;
  throw new ConfigurationError(`The session's ${name} is missing or redacted.`);
}
