import {
  callbackState,
  maxAuthenticationAgeSeconds,
  type SignedInAccount,
  signInCallbackOutcome,
} from "@social-connect/domain";
import type { AdminSignIn } from "../../_generated/prisma/client.ts";
import { equalHashes, sha256 } from "../../platform/secrets/hash.ts";
import { recognizeAdmin } from "../admins/admins.ts";
import { issuerFailure } from "../openid/openIdProvider.ts";
import { refusesPrompt, rememberRefusedPrompt } from "../openid/refusedPrompts.ts";
import { signInAtIssuer } from "../openid/signInAtIssuer.ts";
import type { Service } from "../service.ts";
import { panelRedirectUri, type SignInSecrets, signInBinding } from "./beginSignIn.ts";
import { confirmSession, type OpenedSession, openSession } from "./openSession.ts";

export interface SignInCallback {
  readonly query: URLSearchParams;
  readonly browserSecretOf: (signInId: string) => string | null;
}

type SignedIn = { readonly outcome: "signed-in" | "confirmed"; readonly returnPath: string } & OpenedSession;

interface Ended<Outcome extends string> {
  readonly outcome: Outcome;
  readonly signInId: string;
  readonly returnPath: string;
}

export type SignInOutcome =
  | SignedIn
  /** Not an admin, or not the admin whose session was to be confirmed. `prompt-refused`: the next request leaves it out. */
  | (Ended<"not-an-admin" | "failed" | "prompt-refused"> & { readonly reason: string })
  | Ended<"denied" | "foreign-browser" | "unknown-state">
  /** No sign-in has the state. */
  | { readonly outcome: "unknown-state"; readonly signInId: null };

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
  const { id: signInId, returnPath } = found;
  const browserSecret = callback.browserSecretOf(found.id);
  if (browserSecret === null || !equalHashes(sha256(browserSecret), found.browserHash)) {
    return { outcome: "foreign-browser", signInId, returnPath };
  }
  // Deleting the row consumes the state: only one of two concurrent callbacks succeeds.
  const taken = await service.prisma.adminSignIn.deleteMany({ where: { id: found.id } });
  const now = await service.clock.now();
  const outcome = signInCallbackOutcome({ ...found, isUsed: taken.count === 0 }, callback.query, now);
  if (outcome !== null) return { outcome, signInId, returnPath };
  const secrets: SignInSecrets = JSON.parse(service.secretBox.open(found.exchangeSealed, signInBinding(found.id)));
  if (service.issuer !== null && refusesPrompt(callback.query, secrets.prompt)) {
    await rememberRefusedPrompt(service, service.issuer, secrets.prompt ?? "", now);
    return { outcome: "prompt-refused", signInId, returnPath, reason: "prompt refused" };
  }
  const person = await proveAtIssuer(service, found, secrets, callback.query, state);
  if ("reason" in person) return { outcome: "failed", signInId, returnPath, reason: person.reason };
  return letIn(service, found, person, now);
}

async function letIn(
  service: Service,
  { id: signInId, sessionId, returnPath }: AdminSignIn,
  person: ProvenPerson,
  now: Date,
): Promise<SignInOutcome> {
  const member = await recognizeAdmin(service, person, now);
  if (member === null) return { outcome: "not-an-admin", signInId, returnPath, reason: whyNoAdmin(person) };
  const { authenticatedAt } = person;
  if (sessionId === null) {
    return { outcome: "signed-in", returnPath, ...(await openSession(service, member, authenticatedAt, now)) };
  }
  const confirmed = await confirmSession(service, { sessionId, admin: member, authenticatedAt }, now);
  return confirmed === null
    ? { outcome: "not-an-admin", signInId, returnPath, reason: "not-an-admin" }
    : { outcome: "confirmed", returnPath, ...confirmed };
}

/** For the security log: no admin can sign in at an issuer without verified email addresses. */
function whyNoAdmin({ email, emailVerified }: ProvenPerson): string {
  if (email === null) return "no email claim";
  return emailVerified ? "not-an-admin" : "email not verified";
}

async function proveAtIssuer(
  service: Service,
  { sessionId }: AdminSignIn,
  secrets: SignInSecrets,
  query: URLSearchParams,
  state: string,
): Promise<ProvenPerson | { readonly reason: string }> {
  if (service.issuer === null) return { reason: "no issuer" };
  try {
    const redirectUri = panelRedirectUri(service);
    const maxAge = maxAuthenticationAgeSeconds(sessionId !== null);
    const account = await signInAtIssuer(service, service.issuer, { redirectUri, query, state, secrets, maxAge });
    const { issuer, subject, email, emailVerified, authenticatedAtSeconds } = account;
    if (authenticatedAtSeconds === null) return { reason: "no auth_time" };
    const authenticatedAt = new Date(authenticatedAtSeconds * 1_000);
    return { issuer, subject, email, emailVerified: emailVerified === true, authenticatedAt };
  } catch (error) {
    return { reason: issuerFailure(error) };
  }
}
