import type { AuthorizationRules } from "../../consent/authorize.ts";
import { MINUTE_MS } from "../../shared/clock.ts";
import { unguessable } from "../../shared/random.ts";

export const AUTHORIZATION: AuthorizationRules = {
  provider: "provider-a",
  clientParameter: "client_id",
  scopeSeparator: " ",
  challenge: /^[A-Za-z0-9_-]{43}$/,
  codeLifetimeMs: 10 * MINUTE_MS,
  newCode: () => `4/0A${unguessable(48)}`,
  invalidScopes: (requested, unknown) =>
    requested.length === 0 || unknown.length > 0
      ? `Some requested scopes were invalid: ${unknown.join(", ") || "none requested"}.`
      : null,
  // A refresh token is issued at the first consent, later only with prompt=consent.
  allowsRefreshToken: (world, { client, offline, promptConsent }, account) => {
    const consentedBefore = world.grants
      .select(({ clientId, accountName }) => clientId === client.clientId && accountName === account.name)
      .some((grant) => grant.provider === "provider-a" && grant.ended === null && grant.hasRefreshToken);
    return offline && (promptConsent || !consentedBefore);
  },
  allowed: ({ state, promptConsent }, code, scopes) => ({
    state,
    code,
    scope: scopes.join(" "),
    authuser: "0",
    prompt: promptConsent ? "consent" : "none",
  }),
  denied: { error: "access_denied" },
  failed: (error) => ({ error }),
};
