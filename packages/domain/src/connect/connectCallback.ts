import type { ConnectAttemptEvent } from "./connectAttempt.ts";

/** Providers send no longer parameter. */
export const LONGEST_CALLBACK_PARAMETER = 4_096;

/**
 * The event of a provider's callback. The query must have each parameter once, either a code or an error, no parameter over
 * the maximum length, and the issuer of the authorization request (RFC 6749 4.1.2, RFC 9700 4.7, RFC 9207). Everything else
 * is `malformed`, and ends the attempt like an error of the provider.
 */
export function readConnectCallback(
  query: URLSearchParams,
  issuer: string,
): Extract<ConnectAttemptEvent, "CODE_RECEIVED" | "ACCESS_DENIED" | "CALLBACK_ERROR"> | "malformed" {
  const once = ["state", "code", "error", "iss"].every((name) => query.getAll(name).length <= 1);
  const short = [...query.values()].every((value) => value.length <= LONGEST_CALLBACK_PARAMETER);
  const code = query.get("code");
  const error = query.get("error");
  const foreignIssuer = query.has("iss") && query.get("iss") !== issuer;
  if (!once || !short || foreignIssuer || (code === null) === (error === null) || code === "") return "malformed";
  if (code !== null) return "CODE_RECEIVED";
  return error === "access_denied" ? "ACCESS_DENIED" : "CALLBACK_ERROR";
}

/** The first state of a callback; null if it is missing, empty or too long. */
export function callbackState(query: URLSearchParams): string | null {
  const [state] = query.getAll("state");
  return !state || state.length > LONGEST_CALLBACK_PARAMETER ? null : state;
}

/** The standard code, and the code of Apple for a sign-in that the user cancels. */
const DENIALS: readonly string[] = ["access_denied", "user_cancelled_authorize"];

/** True if the user denied the sign-in at the identity provider. Every other callback without a code is a failure. */
export function isIdentityDenial(query: URLSearchParams): boolean {
  const [error = "", ...others] = query.getAll("error");
  return others.length === 0 && DENIALS.includes(error) && !query.has("code");
}
