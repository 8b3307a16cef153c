import { createHmac, timingSafeEqual } from "node:crypto";
import { Secret } from "../../platform/secret.ts";

/**
 * What a page of the panel sends beside the cookie with whatever changes something. It follows from the session's token,
 * which no script can read: a page of another origin can make the browser send the cookie, but not say this.
 */
export function csrfToken(sessionToken: string): Secret {
  return new Secret(createHmac("sha256", sessionToken).update("social-connect panel csrf").digest("hex"));
}

export function isCsrfToken(sessionToken: string, candidate: string | null): boolean {
  const expected = Buffer.from(csrfToken(sessionToken).reveal());
  const given = Buffer.from(candidate ?? "");
  return given.length === expected.length && timingSafeEqual(given, expected);
}
