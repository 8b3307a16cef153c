import type { SignedInAccount } from "@social-connect/domain";
import { callbackState, maxAuthenticationAgeSeconds, signInCallbackOutcome } from "@social-connect/domain";
import * as openId from "openid-client";
import type { AdminSignIn } from "../../_generated/prisma/client.ts";
import { equalHashes, sha256 } from "../../platform/hash.ts";
import { secondsAheadOfMachine } from "../../platform/machineTime.ts";
import { recognizeAdmin } from "../admins/recognizeAdmin.ts";
import {
  discoverIssuer,
  emailClaim,
  issuerFailure,
  isUsableSubject,
  UnusableSubjectError,
} from "../openid/openIdProvider.ts";
import type { Service } from "../service.ts";
import type { ExchangeSecrets } from "./beginSignIn.ts";
import { panelRedirectUri, signInBinding } from "./beginSignIn.ts";
import type { OpenedSession } from "./openSession.ts";
import { confirmSession, openSession } from "./openSession.ts";

export interface SignInCallback {
  readonly query: URLSearchParams;
  readonly browserSecretOf: (signInId: string) => string | null;
}

type SignedIn = { readonly outcome: "signed-in" | "confirmed"; readonly returnPath: string } & OpenedSession;

export type SignInOutcome =
  | SignedIn
  /** Not an admin, or not the admin whose session was to be confirmed. */
  | { readonly outcome: "not-an-admin" | "denied" | "foreign-browser"; readonly signInId: string }
  | { readonly outcome: "failed"; readonly signInId: string; readonly reason: string }
  /** `signInId` is null when no sign-in has the state. */
  | { readonly outcome: "unknown-state"; readonly signInId: string | null };

/** The account that the issuer authenticated, and when. */
export interface ProvenPerson extends SignedInAccount {
  readonly authenticatedAt: Date;
}

/**
 * Handles the issuer's callback: the state must be used once, in time, and in the browser that started; then the code
 * is exchanged and the ID token verified, and its account must belong to an admin. Always returns a new session token.
 */
export async function completeSignIn(service: Service, callback: SignInCallback): Promise<SignInOutcome> {
  const state = callbackState(callback.query);
  if (state === null) return { outcome: "unknown-state", signInId: null };
  const found = await service.prisma.adminSignIn.findUnique({ where: { stateHash: sha256(state) } });
  if (found === null) return { outcome: "unknown-state", signInId: null };
  const signInId = found.id;
  const browserSecret = callback.browserSecretOf(found.id);
  if (browserSecret === null || !equalHashes(sha256(browserSecret), found.browserHash)) {
    return { outcome: "foreign-browser", signInId };
  }
  // Deleting the row consumes the state: only one of two concurrent callbacks succeeds.
  const taken = await service.prisma.adminSignIn.deleteMany({ where: { id: found.id } });
  const now = await service.clock.now();
  const outcome = signInCallbackOutcome({ ...found, isUsed: taken.count === 0 }, callback.query, now);
  if (outcome !== null) return { outcome, signInId };
  const person = await proveAtIssuer(service, found, callback.query, state, now);
  if ("reason" in person) return { outcome: "failed", signInId, reason: person.reason };
  return letIn(service, found, person, now);
}

async function letIn(
  service: Service,
  { id: signInId, sessionId, returnPath }: AdminSignIn,
  person: ProvenPerson,
  now: Date,
): Promise<SignInOutcome> {
  const member = await recognizeAdmin(service, person, now);
  if (member === null) return { outcome: "not-an-admin", signInId };
  const { authenticatedAt } = person;
  if (sessionId === null) {
    return { outcome: "signed-in", returnPath, ...(await openSession(service, member, authenticatedAt, now)) };
  }
  const confirmed = await confirmSession(service, { sessionId, admin: member, authenticatedAt }, now);
  return confirmed === null
    ? { outcome: "not-an-admin", signInId }
    : { outcome: "confirmed", returnPath, ...confirmed };
}

async function proveAtIssuer(
  service: Service,
  { id, exchangeSealed, sessionId }: AdminSignIn,
  query: URLSearchParams,
  state: string,
  now: Date,
): Promise<ProvenPerson | { readonly reason: string }> {
  const secrets: ExchangeSecrets = JSON.parse(service.secretBox.open(exchangeSealed, signInBinding(id)));
  try {
    if (service.issuer === null) return { reason: "no issuer" };
    const configuration = await discoverIssuer(service.issuer, { clockSkewSeconds: secondsAheadOfMachine(now) });
    const tokens = await openId.authorizationCodeGrant(
      configuration,
      new URL(`${panelRedirectUri(service)}?${query}`),
      {
        expectedState: state,
        expectedNonce: secrets.nonce,
        pkceCodeVerifier: secrets.codeVerifier,
        idTokenExpected: true,
        maxAge: maxAuthenticationAgeSeconds(sessionId !== null),
      },
    );
    const claims = tokens.claims();
    if (claims === undefined || typeof claims.auth_time !== "number") return { reason: "no auth_time" };
    if (!isUsableSubject(claims.sub)) throw new UnusableSubjectError();
    const details = configuration.serverMetadata().userinfo_endpoint
      ? await openId.fetchUserInfo(configuration, tokens.access_token, claims.sub)
      : claims;
    return {
      issuer: claims.iss,
      subject: claims.sub,
      email: emailClaim(details["email"]),
      emailVerified: details["email_verified"] === true,
      authenticatedAt: new Date(claims.auth_time * 1_000),
    };
  } catch (error) {
    return { reason: issuerFailure(error) };
  }
}
