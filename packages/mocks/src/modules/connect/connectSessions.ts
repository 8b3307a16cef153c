import {
  AppError,
  asksForAccountChoice,
  asUuid,
  attemptAsRead,
  type ConnectAttemptEvent,
  type ConnectInput,
  decideAbandon,
  decideCreateConnectSession,
  decideLaunch,
  decideLeavePane,
  enforce,
  isDisconnected,
  isRefusal,
  isSameScope,
  PROVIDER_TRAITS,
  type SubjectScope,
  UNKNOWN_CONNECT_SESSION,
} from "@social-connect/domain";
import { PROVIDERS } from "../../providers/providers.ts";
import { requestedScopes } from "../../providers/scopes.ts";
import { authorizationUrl } from "../../state/addresses.ts";
import type { Application, ConnectAttempt, Grant } from "../../state/state.ts";
import { sha256Base64url, sha256Hex } from "../../util/hash.ts";
import type { World } from "../../world/world.ts";
import type { Caller } from "../applications/authenticate.ts";
import { explained } from "../applications/explainReturnUrl.ts";
import { enforceTenant } from "../applications/explainTenant.ts";
import { type LaunchOutcome, type LaunchRequest, redeemLaunch } from "../browser/launch.ts";
import { findConnectionOfScope } from "../connections/access.ts";
import { endpointsOf, patchAttempt } from "../events/recordEvents.ts";
import { isGrantShared, workingConnections } from "../grants/grants.ts";
import { findPublishedRegistration, registrationOf } from "../registrations/findRegistration.ts";
import { cancelReconnects, isRevokeSettling, recentAttempts, unfinishedAttempts } from "./attempts.ts";

/**
 * Starts a connect attempt. The launch token is returned only here; the state has its hash. Source: service description,
 * part 4, createConnectSession.
 */
export function createConnectSession(world: World, { application }: Caller, input: ConnectInput) {
  const { provider, scope } = input;
  const { strict, previewOriginTemplate: previewTemplate, connectHost } = world.settings;
  const target = findConnectionOfScope(world, application.id, scope, input.reconnectConnectionId ?? "");
  const unfinished = unfinishedAttempts(world, application.id, scope, provider);
  const facts = {
    application,
    previewTemplate,
    target,
    targetStatus: target?.status ?? null,
    isRevokeSettling: isRevokeSettling(world, application.id, scope, provider),
    registration: findPublishedRegistration(world, application.id, provider),
    unfinished: unfinished.map(({ expiresAt }) => expiresAt),
    newest: unfinished.at(-1)?.createdAt ?? null,
    recent: recentAttempts(world, world.state.connectAttempts, application.id),
  };
  const decision = explained(world, decideCreateConnectSession(facts, input, world.now()), {
    returnUrl: input.returnUrl,
    registered: application.returnUrls,
    option: "returnUrls",
  });
  // The contract does not define the seconds, so strict mode omits them.
  const isLimited = strict && isRefusal(decision) && decision.code === "RATE_LIMITED";
  const { patch } = enforce(isLimited ? { code: decision.code, message: decision.message } : decision);
  const id = world.newId();
  const launchToken = world.newSecret();
  world.state.connectAttempts.set(id, {
    ...patch,
    id,
    exchangeGeneration: null,
    launchTokenHash: sha256Hex(launchToken),
    stateHash: null,
    browserHash: null,
  });
  const { expiresAt, resultExpiresAt } = patch;
  // Without endpoints, readers see the expiry, and the next sweep stores it.
  if (endpointsOf(world, application.id).length > 0) world.schedule(expiresAt.getTime(), "expiry", "");
  return { id, launchUrl: `${connectHost}/api/connect/redeem`, launchToken, expiresAt, resultExpiresAt };
}

export function redeemLaunchToken(world: World, request: LaunchRequest): LaunchOutcome {
  return redeemLaunch(world, world.state.connectAttempts.values(), request, launch);
}

/**
 * Launches the attempt; also for a test that drives it without a browser. `launchedBy` is the secret of the browser that has
 * launched it: the same redirect again.
 */
export function launch(
  world: World,
  attempt: ConnectAttempt,
  application: Application,
  launchedBy?: string,
  isOtherAccount = false,
): LaunchOutcome {
  const registration = registrationOf(world, attempt.registrationId);
  const { previewOriginTemplate: previewTemplate } = world.settings;
  const facts = { attempt, application, registration, previewTemplate, wasLaunchedHere: launchedBy !== undefined };
  const { outcome, patch, followUps } = decideLaunch(facts, world.now());
  patchAttempt(world, attempt, patch);
  if (outcome !== "redirect") return { outcome };
  for (const followUp of followUps) cancelReconnects(world, followUp);
  const [newSecret, codeVerifier] = [world.newSecret(), world.newSecret()];
  const browserSecret = launchedBy ?? newSecret;
  // It follows from the secret, so that the cookie of a browser leads to the same redirect again.
  const state = sha256Hex(`state of ${browserSecret}`);
  attempt.browserHash = sha256Hex(browserSecret);
  attempt.stateHash = sha256Hex(state);
  const location = authorizationUrl(world.settings, attempt.provider, {
    state,
    scopes: requestedScopes(registration.scopes, attempt.capabilities),
    codeChallenge: PROVIDER_TRAITS[attempt.provider].pkce ? sha256Base64url(codeVerifier) : null,
    parameters: PROVIDERS[attempt.provider].consentParameters(
      asksForAccountChoice({ ...attempt, hasConnection: hasConnectionLike(world, attempt), isOtherAccount }),
    ),
  });
  return { outcome: "redirect", location, attemptId: attempt.id, browserSecret };
}

/** Whether the subject of an attempt has a connection of its provider that is not disconnected. */
function hasConnectionLike(world: World, attempt: ConnectAttempt): boolean {
  return [...world.state.connections.values()].some(
    (one) =>
      one.applicationId === attempt.applicationId &&
      one.provider === attempt.provider &&
      isSameScope(one, attempt) &&
      !isDisconnected(one.status),
  );
}

/** Cancels the attempt, in the browser that launched it. */
export function leavePane(world: World, attempt: ConnectAttempt) {
  const { outcome, patch } = decideLeavePane({ attempt, wasLaunchedHere: true }, world.now());
  patchAttempt(world, attempt, patch);
  return outcome;
}

/** The pending grant of an attempt, and its account where that is known. */
interface PendingGrant {
  readonly grant: Grant;
  readonly owner: Grant["owner"];
}

/** Ends an attempt that failed after the user's consent; `pending` is null if the code exchange failed. */
export function abandonAttempt(
  world: World,
  attempt: ConnectAttempt,
  event: ConnectAttemptEvent,
  pending: PendingGrant | null,
): ConnectAttempt {
  const facts = pending && { ...pending, isShared: isShared(world, attempt, pending.owner) };
  const { patch, followUps } = decideAbandon(attempt, event, facts, world.now());
  for (const { type, grant } of followUps) {
    if (type === "REVOKE_GRANT") revokeLater(world, grant);
    else world.state.grants.delete(grant.grant.id);
  }
  return patchAttempt(world, attempt, patch);
}

/** Stores the owner, because another subject may connect the account before the revoke runs, which checks this again. */
function revokeLater(world: World, { grant, owner }: PendingGrant): void {
  grant.owner = owner && { providerAccountId: owner.providerAccountId, providerUserKey: owner.providerUserKey };
  world.schedule(world.nowMs(), "orphan", grant.id);
}

/** If the account is unknown, any working connection of the subject may share the grant. */
function isShared(world: World, attempt: ConnectAttempt, owner: Grant["owner"]): boolean {
  if (owner !== null) return isGrantShared(world, attempt.registrationId, owner);
  return workingConnections(world, attempt.registrationId).some(
    (one) => one.applicationId === attempt.applicationId && isSameScope(one, attempt),
  );
}

/** The current state of an attempt. Source: service description, parts 3 and 4, connectSessionResult. */
export function readConnectResult(
  world: World,
  { application }: Caller,
  scope: SubjectScope,
  id: string,
): ConnectAttempt {
  enforceTenant(world, application, scope.tenantKey, "FORBIDDEN");
  const attempt = world.state.connectAttempts.get(asUuid(id) ?? "");
  const isCallers = attempt?.applicationId === application.id && isSameScope(attempt, scope);
  const read = attempt !== undefined && isCallers ? attemptAsRead(attempt, world.now()) : null;
  if (read === null) throw new AppError(UNKNOWN_CONNECT_SESSION);
  return read;
}
