import {
  accepted,
  addMs,
  CONFIRMATION_AGE_MS,
  decideConfirmSession,
  decideOpenSession,
  decideSessionUse,
  decideSignOut,
  isRefusal,
  SIGN_IN_LIFETIME_MS,
  signInCallbackOutcome,
} from "@social-connect/domain";
import { userAt } from "../../issuer/users.ts";
import { identityCodeKey } from "../../providers/scopes.ts";
import type { Member, PanelSession } from "../../state/state.ts";
import { sha256Hex } from "../../util/hash.ts";
import type { World } from "../../world/world.ts";
import type { AdminActor, SessionActor } from "../admin/actor.ts";
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
  const outcome = signInCallbackOutcome({ ...signIn, isUsed: false }, query, world.now());
  if (outcome !== null) return { outcome };
  const codeKey = identityCodeKey(query.get("code") ?? "", query.get("state") ?? "");
  const code = providers.identityCodes.get(codeKey);
  providers.identityCodes.delete(codeKey);
  if (code === undefined || providers.issuerFaults.length > 0) return { outcome: "failed" };
  const { issuerUrl: issuer } = world.settings;
  const { idpSub, email, emailVerified } = userAt(issuer, code.person);
  const account = { issuer, subject: idpSub ?? "", email, emailVerified: emailVerified === true };
  const member = recognizeMember(world, account);
  if (member === null) return { outcome: "not-an-admin" };
  const token =
    signIn.sessionHash === null ? openSession(world, member) : confirmSession(world, member, signIn.sessionHash);
  return token === null ? { outcome: "not-an-admin" } : { outcome: "signed-in", token, returnPath: signIn.returnPath };
}

function openSession(world: World, admin: Member): string {
  const now = world.now();
  const { patch, audit } = decideOpenSession(admin, now, now);
  recordAudit(world, actorOf(admin), audit);
  return storeSession(world, patch);
}

function confirmSession(world: World, admin: Member, sessionHash: string): string | null {
  const now = world.now();
  const { panelSessions } = world.state;
  const session = panelSessions.get(sessionHash) ?? null;
  const change = decideConfirmSession(session, admin, now, now);
  if (session === null || isRefusal(change)) return null;
  recordAudit(world, actorOf(admin), change.audit);
  panelSessions.delete(sessionHash);
  return storeSession(world, { ...session, ...change.patch });
}

function storeSession(world: World, session: Omit<PanelSession, "tokenHash">): string {
  const token = world.newSecret();
  const tokenHash = sha256Hex(token);
  world.state.panelSessions.set(tokenHash, { ...session, tokenHash });
  return token;
}

/** The session of a token; null for an unknown or ended session, and when its admin was removed. */
export function findSession(
  world: World,
  token: string | null,
): (PanelSession & { readonly actor: SessionActor }) | null {
  const session = token === null ? undefined : world.state.panelSessions.get(sha256Hex(token));
  const member = session && world.state.members.get(session.memberId);
  const use = decideSessionUse(session ?? null, world.now());
  if (session === undefined || member === undefined || isRefusal(use)) return null;
  Object.assign(session, use?.patch);
  const { memberId, authenticatedAt } = session;
  return { ...session, actor: { via: "session", memberId, email: member.email, authenticatedAt } };
}

export function endSession(world: World, token: string): void {
  const session = findSession(world, token);
  world.state.panelSessions.delete(sha256Hex(token));
  const admin = session && world.state.members.get(session.memberId);
  const change = admin ? accepted(decideSignOut(admin, true)) : null;
  if (admin && change !== null) recordAudit(world, actorOf(admin), change.audit);
}

function actorOf({ email }: Member): AdminActor {
  return { via: "member", email };
}

/** The CSRF token that the panel sends with each request that changes something. */
export function csrfToken(sessionToken: string): string {
  return sha256Hex(`social-connect panel csrf ${sessionToken}`);
}

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
