import type { IdentityAttemptEvent } from "@social-connect/domain";
import { callbackState, hasPassed, isIdentityDenial, moveIdentityAttempt } from "@social-connect/domain";
import * as openId from "openid-client";
import type { IdentityAttempt } from "../../_generated/prisma/client.ts";
import { sha256 } from "../../platform/hash.ts";
import { secondsAheadOfMachine } from "../../platform/machineTime.ts";
import { securityLog } from "../../platform/securityLog.ts";
import { isBoundBrowser } from "../browser/launch.ts";
import { discoverIssuer, issuerFailure } from "../openid/openIdProvider.ts";
import type { Service } from "../service.ts";
import type { ExchangeSecrets, SignedInPerson } from "./identityAttempt.ts";
import { exchangeBinding, identityResultBinding } from "./identityAttempt.ts";
import { identityRedirectUri } from "./launchIdentity.ts";

export interface IdentityCallback {
  readonly query: URLSearchParams;
  readonly browserSecretOf: (attemptId: string) => string | null;
}

export type IdentityOutcome =
  | { readonly outcome: "ended" | "expired"; readonly attempt: IdentityAttempt }
  | { readonly outcome: "unknown-state" }
  | { readonly outcome: "foreign-browser" | "state-used"; readonly attemptId: string };

/**
 * Handles the issuer's callback: finds the attempt of the state, checks browser, deadline and first use, then exchanges
 * the code and validates the ID token (OpenID Connect Core 3.1.3.7). DENIED only for `access_denied`; FAILED for every
 * other error.
 */
export async function completeIdentity(service: Service, callback: IdentityCallback): Promise<IdentityOutcome> {
  const state = callbackState(callback.query);
  if (state === null) return { outcome: "unknown-state" };
  const found = await service.prisma.identityAttempt.findUnique({ where: { stateHash: sha256(state) } });
  if (found === null || hasPassed(found.resultExpiresAt, await service.clock.now()))
    return { outcome: "unknown-state" };
  if (!isBoundBrowser(found, callback.browserSecretOf(found.id))) {
    return { outcome: "foreign-browser", attemptId: found.id };
  }
  if (found.status === "EXPIRED") return { outcome: "expired", attempt: found };
  const { exchangeSealed } = found;
  // Clearing the sealed verifier consumes the state, so only one of two concurrent callbacks finds it.
  const taken = await service.prisma.identityAttempt.updateMany({
    where: { id: found.id, status: "PENDING", exchangeSealed: { not: null } },
    data: { exchangeSealed: null },
  });
  if (taken.count === 0 || exchangeSealed === null) return { outcome: "state-used", attemptId: found.id };
  if (hasPassed(found.expiresAt, await service.clock.now())) return end(service, found, "DEADLINE_PASSED", null);
  const secrets: ExchangeSecrets = JSON.parse(service.secretBox.open(exchangeSealed, exchangeBinding(found.id)));
  if (isIdentityDenial(callback.query)) return end(service, found, "ACCESS_DENIED", null);
  const person = await signIn(service, found.id, callback.query, state, secrets);
  if (hasPassed(found.expiresAt, await service.clock.now())) return end(service, found, "DEADLINE_PASSED", null);
  return end(service, found, person === null ? "HANDOFF_FAILED" : "SIGNED_IN", person);
}

async function signIn(
  service: Service,
  attemptId: string,
  query: URLSearchParams,
  state: string,
  { nonce, codeVerifier }: ExchangeSecrets,
): Promise<SignedInPerson | null> {
  try {
    if (service.issuer === null) return null;
    const now = await service.clock.now();
    const configuration = await discoverIssuer(service.issuer, { clockSkewSeconds: secondsAheadOfMachine(now) });
    const tokens = await openId.authorizationCodeGrant(
      configuration,
      new URL(`${identityRedirectUri(service)}?${query}`),
      {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: codeVerifier,
        idTokenExpected: true,
      },
    );
    const claims = tokens.claims();
    if (claims === undefined) return null;
    const details = configuration.serverMetadata().userinfo_endpoint
      ? await openId.fetchUserInfo(configuration, tokens.access_token, claims.sub)
      : claims;
    return {
      issuer: claims.iss,
      idpSub: claims.sub,
      email: textOrNull(details["email"]),
      emailVerified: typeof details["email_verified"] === "boolean" ? details["email_verified"] : null,
      name: textOrNull(details["name"]),
      pictureUrl: textOrNull(details["picture"]),
    };
  } catch (error) {
    securityLog(service).record("identity.sign_in_failed", { attemptId, reason: issuerFailure(error) });
    return null;
  }
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** Ends the attempt, unless it ended during the exchange; final states never change. */
async function end(
  service: Service,
  { id }: IdentityAttempt,
  event: IdentityAttemptEvent,
  person: SignedInPerson | null,
): Promise<IdentityOutcome> {
  const status = moveIdentityAttempt("PENDING", event);
  if (status === null) throw new Error(`Cannot move an identity attempt from PENDING on ${event}.`);
  const resultSealed = person && service.secretBox.seal(JSON.stringify(person), identityResultBinding(id));
  await service.prisma.identityAttempt.updateMany({ where: { id, status: "PENDING" }, data: { status, resultSealed } });
  const attempt = await service.prisma.identityAttempt.findUniqueOrThrow({ where: { id } });
  return { outcome: attempt.status === "EXPIRED" ? "expired" : "ended", attempt };
}
