import type { AuthorizationRules } from "../../consent/authorize.ts";
import { MINUTE_MS } from "../../shared/clock.ts";
import { unguessable } from "../../shared/random.ts";

export const AUTHORIZATION: AuthorizationRules = {
  provider: "provider-b",
  clientParameter: "client_key",
  scopeSeparator: ",",
  // The consent page accepts any challenge that RFC 7636 allows; the exchange compares it with the hexadecimal hash.
  challenge: /^[A-Za-z0-9\-._~]{43,128}$/,
  codeLifetimeMs: 10 * MINUTE_MS,
  // Real codes contain characters that are escaped in a URL, which clients must decode.
  newCode: () => `${unguessable(40)}*1!${unguessable(3)}.e1`,
  // One unknown scope rejects the whole request.
  invalidScopes: (requested, unknown) =>
    requested.length === 0 || unknown.length > 0 ? "The scopes are invalid." : null,
  redirectedError: (error) => ({ error, error_type: error === "invalid_scope" ? "scope" : "param" }),
  allowed: ({ state }, code, scopes) => ({ code, scopes: scopes.join(","), state }),
  denied: {
    error: "access_denied",
    error_type: "user_denied",
    error_description: "User denied the authorization request",
  },
  failed: (error) => ({ error, error_type: "server" }),
};
