import { hasPassed, maxAuthenticationAgeSeconds } from "@social-connect/domain";
import * as openId from "openid-client";
import type { AdminSignIn } from "../../_generated/prisma/client.ts";
import { equalHashes, sha256 } from "../../platform/hash.ts";
import { secondsAheadOfMachine } from "../../platform/machineTime.ts";
import type { Secret } from "../../platform/secret.ts";
import { discoverIssuer } from "../identity/openIdProvider.ts";
import { recognizeMember } from "../members/recognizeMember.ts";
import type { Service } from "../service.ts";
import type { ExchangeSecrets } from "./beginSignIn.ts";
import { panelRedirectUri, signInBinding } from "./beginSignIn.ts";
import { confirmSession, openSession } from "./openSession.ts";

export interface SignInCallback {
  readonly query: URLSearchParams;
  readonly browserSecretOf: (signInId: string) => string | null;
}

export type SignInOutcome =
  | { readonly outcome: "signed-in"; readonly token: Secret; readonly returnPath: string }
  /** Nobody on the list, or not the person of the session that was to be confirmed. */
  | { readonly outcome: "not-an-admin" }
  | { readonly outcome: "denied" | "failed" | "unknown-state" | "foreign-browser" };

/** Who the issuer says has signed in, and when the person proved it. */
export interface ProvenPerson {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  readonly emailVerified: boolean;
  readonly authenticatedAt: Date;
}

const LONGEST_STATE = 4_096;

/**
 * An admin back from the issuer: the state's way in the browser it began in, once and in time; then the code is exchanged,
 * the ID token checked, and whoever it names has to be an admin. Gives a new session token whichever way it was.
 */
export async function completeSignIn(service: Service, callback: SignInCallback): Promise<SignInOutcome> {
  const [state] = callback.query.getAll("state");
  if (!state || state.length > LONGEST_STATE) return { outcome: "unknown-state" };
  const found = await service.prisma.adminSignIn.findUnique({ where: { stateHash: sha256(state) } });
  if (found === null) return { outcome: "unknown-state" };
  const browserSecret = callback.browserSecretOf(found.id);
  if (browserSecret === null || !equalHashes(sha256(browserSecret), found.browserHash)) {
    return { outcome: "foreign-browser" };
  }
  // Whoever deletes the row has used the state up: of two callbacks only one does.
  const taken = await service.prisma.adminSignIn.deleteMany({ where: { id: found.id } });
  const now = await service.clock.now();
  if (taken.count === 0 || hasPassed(found.expiresAt, now)) return { outcome: "unknown-state" };
  if (callback.query.get("error") === "access_denied") return { outcome: "denied" };
  const person = await proveAtIssuer(service, found, callback.query, state, now);
  if (person === null) return { outcome: "failed" };
  return letIn(service, found, person, now);
}

async function letIn(
  service: Service,
  { sessionId, returnPath }: AdminSignIn,
  person: ProvenPerson,
  now: Date,
): Promise<SignInOutcome> {
  const member = await recognizeMember(service, person, now);
  if (member === null) return { outcome: "not-an-admin" };
  const token =
    sessionId === null
      ? await openSession(service, member, person.authenticatedAt, now)
      : await confirmSession(service, { sessionId, memberId: member.id, authenticatedAt: person.authenticatedAt, now });
  return token === null ? { outcome: "not-an-admin" } : { outcome: "signed-in", token, returnPath };
}

async function proveAtIssuer(
  service: Service,
  { id, exchangeSealed, sessionId }: AdminSignIn,
  query: URLSearchParams,
  state: string,
  now: Date,
): Promise<ProvenPerson | null> {
  const secrets: ExchangeSecrets = JSON.parse(service.secretBox.open(exchangeSealed, signInBinding(id)));
  try {
    if (service.issuer === null) return null;
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
    if (claims === undefined || typeof claims.auth_time !== "number") return null;
    const details = configuration.serverMetadata().userinfo_endpoint
      ? await openId.fetchUserInfo(configuration, tokens.access_token, claims.sub)
      : claims;
    return {
      issuer: claims.iss,
      subject: claims.sub,
      email: typeof details["email"] === "string" ? details["email"] : null,
      emailVerified: details["email_verified"] === true,
      authenticatedAt: new Date(claims.auth_time * 1_000),
    };
  } catch (error) {
    const reason = error instanceof Error ? error.name : "unknown";
    service.logger.warn({ reason }, "an admin's sign-in failed at the issuer");
    return null;
  }
}
