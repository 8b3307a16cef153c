import type { ConnectAttemptEvent } from "./connectAttempt.ts";

/** No parameter of a callback is longer; what is longer comes from no provider. */
export const LONGEST_CALLBACK_PARAMETER = 4_096;

/**
 * What the query of a provider's callback says, once its state was found to be good: each parameter once, either a code or
 * an error, of a believable length, and from the issuer that was asked (RFC 6749 4.1.2, RFC 9700 4.7, RFC 9207). Anything
 * else is `malformed`, and ends the attempt as an error of the provider does.
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

/** The state that a callback brings, the first where several do; null for what no state can be. */
export function callbackState(query: URLSearchParams): string | null {
  const [state] = query.getAll("state");
  return !state || state.length > LONGEST_CALLBACK_PARAMETER ? null : state;
}

/** True when the person declined to sign in at the identity provider; everything else that is no code is a failure. */
export function isIdentityDenial(query: URLSearchParams): boolean {
  return query.getAll("error").length === 1 && query.get("error") === "access_denied" && !query.has("code");
}
