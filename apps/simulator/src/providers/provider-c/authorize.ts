import type { AuthorizationRules } from "../../consent/authorize.ts";
import { HOUR_MS } from "../../shared/clock.ts";
import { unguessable } from "../../shared/random.ts";
import { SCOPE_C_BASIC } from "./scopes.ts";

export const AUTHORIZATION: AuthorizationRules = {
  provider: "provider-c",
  clientParameter: "client_id",
  scopeSeparator: ",",
  challenge: null,
  codeLifetimeMs: HOUR_MS,
  newCode: () => `AQ${unguessable(120)}`,
  invalidScopes: (requested, unknown) =>
    !requested.includes(SCOPE_C_BASIC) || unknown.length > 0
      ? `Invalid scopes: ${unknown.join(", ") || `${SCOPE_C_BASIC} is missing`}.`
      : null,
  allowed: ({ state }, code) => ({ code, state }),
  // The provider appends `#_`, which is not part of the code.
  fragment: "#_",
  denied: {
    error: "access_denied",
    error_reason: "user_denied",
    error_description: "The user denied your request.",
  },
  failed: (error) => ({ error, error_description: "Something went wrong." }),
};
