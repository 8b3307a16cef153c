import {
  addMs,
  CONFIRMATION_AGE_MS,
  hasPassed,
  isSessionAlive,
  SESSION_LIFETIME_MS,
  SIGN_IN_LIFETIME_MS,
  sessionSummary,
} from "@social-connect/domain";
import { userAt } from "../../issuer/users.ts";
import { identityCodeKey } from "../../providers/codeKey.ts";
import type { Member, PanelSession } from "../../state/state.ts";
import { sha256Hex } from "../../util/hash.ts";
import type { World } from "../../world/world.ts";
import type { SessionActor } from "../admin/actor.ts";
import { recognizeMember } from "../admins/changeAdmins.ts";
import { recordAudit } from "../audit/audit.ts";

/** Starts a sign-in at the identity provider or, with a session, a confirmation. */
export function beginSignIn(world: World, sessionToken: string | null, returnPath: string) {
  const [id, state, browserSecret] = [world.newId(), world.newSecret(), world.newSecret()];
  const session = sessionToken === null ? null : findSession(world, sessionToken);
  world.state.panelSignIns.set(sha256Hex(state), {
    id,
    browserHash: sha256Hex(browserSecret),
    sessionHash: session === null ? null : session.tokenHash,
    returnPath,
    expiresAt: addMs(world.now(), SIGN_IN_LIFETIME_MS),
  });
  return { id, state, browserSecret };
}

export type SignInOutcome =
  | { readonly outcome: "signed-in"; readonly token: string; readonly returnPath: string }
  | { readonly outcome: "not-an-admin" | "denied" | "failed" | "unknown-state" | "foreign-browser" };

/** Completes a sign-in: the state is valid once, until it expires, in the browser that started it. Returns a new session token. */
export function completeSignIn(
  world: World,
  query: URLSearchParams,
  browserSecretOf: (signInId: string) => string | null,
): SignInOutcome {
  const { panelSignIns, providers } = world.state;
  const stateHash = sha256Hex(query.get("state") ?? "");
  const signIn = panelSignIns.get(stateHash);
  if (signIn === undefined) return { outcome: "unknown-state" };
  if (sha256Hex(browserSecretOf(signIn.id) ?? "") !== signIn.browserHash) return { outcome: "foreign-browser" };
  panelSignIns.delete(stateHash);
  if (hasPassed(signIn.expiresAt, world.now())) return { outcome: "unknown-state" };
  if (query.get("error") === "access_denied") return { outcome: "denied" };
  const codeKey = identityCodeKey(query.get("code") ?? "", query.get("state") ?? "");
  const code = providers.identityCodes.get(codeKey);
  providers.identityCodes.delete(codeKey);
  if (code === undefined || providers.issuerFaults.length > 0) return { outcome: "failed" };
  const { issuerUrl: issuer } = world.settings;
  const { idpSub, email, emailVerified } = userAt(issuer, code.person);
  const account = { issuer, subject: idpSub ?? "", email, emailVerified: emailVerified === true };
  const member = recognizeMember(world, account);
  if (member === null) return { outcome: "not-an-admin" };
  const before = signIn.sessionHash === null ? null : world.state.panelSessions.get(signIn.sessionHash);
  if (signIn.sessionHash !== null && before?.memberId !== member.id) return { outcome: "not-an-admin" };
  if (signIn.sessionHash !== null) world.state.panelSessions.delete(signIn.sessionHash);
  recordSession(world, member, signIn.sessionHash === null ? "Admin signed in" : "Admin confirmed");
  return {
    outcome: "signed-in",
    token: openSession(world, member.id, before?.expiresAt),
    returnPath: signIn.returnPath,
  };
}

function openSession(world: World, memberId: string, endsAt?: Date): string {
  const token = world.newSecret();
  const now = world.now();
  const tokenHash = sha256Hex(token);
  const expiresAt = endsAt ?? addMs(now, SESSION_LIFETIME_MS);
  world.state.panelSessions.set(tokenHash, { tokenHash, memberId, authenticatedAt: now, lastSeenAt: now, expiresAt });
  return token;
}

/** The session of a token; null for an unknown or ended session, and when its admin was removed. */
export function findSession(
  world: World,
  token: string | null,
): (PanelSession & { readonly actor: SessionActor }) | null {
  const session = token === null ? undefined : world.state.panelSessions.get(sha256Hex(token));
  const member = session && world.state.members.get(session.memberId);
  if (session === undefined || member === undefined || !isSessionAlive(session, world.now())) return null;
  session.lastSeenAt = world.now();
  const { memberId, authenticatedAt } = session;
  return { ...session, actor: { via: "session", memberId, email: member.email, authenticatedAt } };
}

export function endSession(world: World, token: string): void {
  const session = findSession(world, token);
  world.state.panelSessions.delete(sha256Hex(token));
  const member = session && world.state.members.get(session.memberId);
  if (member) recordSession(world, member, "Admin signed out");
}

function recordSession(
  world: World,
  { id, email }: Member,
  action: "Admin signed in" | "Admin confirmed" | "Admin signed out",
): void {
  const target = { type: "ADMIN", id } as const;
  recordAudit(world, { via: "member", email }, { action, target, summary: sessionSummary(action, email) });
}

/** The CSRF token that the panel sends with each request that changes something. */
export function csrfToken(sessionToken: string): string {
  return sha256Hex(`social-connect panel csrf ${sessionToken}`);
}

/** The session as the panel reads it. */
export function describeSession(world: World, token: string) {
  const session = findSession(world, token);
  if (session === null) return null;
  return {
    email: session.actor.email,
    now: world.now().toISOString(),
    csrfToken: csrfToken(token),
    confirmedUntil: addMs(session.authenticatedAt, CONFIRMATION_AGE_MS).toISOString(),
    expiresAt: session.expiresAt.toISOString(),
  };
}
