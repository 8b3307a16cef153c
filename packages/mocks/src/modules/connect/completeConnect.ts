import type { SocialProvider } from "@social-connect/contract";
import type { ConnectAttemptEvent } from "@social-connect/domain";
import {
  attemptCreatorAction,
  callbackState,
  connectionCapabilities,
  eventInTime,
  hasPassed,
  lateConsentCreatorAction,
  PROVIDER_TRAITS,
  readConnectCallback,
} from "@social-connect/domain";
import type { Account, AccountProfile } from "../../providers/accounts.ts";
import { findAccount, readAccount } from "../../providers/accounts.ts";
import { codeKey } from "../../providers/codeKey.ts";
import { capabilitiesOf } from "../../providers/scopes.ts";
import { providerIssuer } from "../../state/addresses.ts";
import type { CallFailure } from "../../state/providerCall.ts";
import { failure, isTransient } from "../../state/providerCall.ts";
import type { AuthorizationCode, ProviderGrant } from "../../state/providerState.ts";
import type { ConnectAttempt, Grant } from "../../state/state.ts";
import type { CallResult } from "../../upstream/calls.ts";
import { failureAtEnd, startCall, startExchange } from "../../upstream/calls.ts";
import { createGrant, ownerInTokens, tokensOf } from "../../upstream/grants.ts";
import { sha256Hex } from "../../util/hash.ts";
import type { TimedWork } from "../../world/timedWork.ts";
import type { World } from "../../world/world.ts";
import { findByState } from "../browser/attempts.ts";
import { wasRevokingSince } from "../grants/revocations.ts";
import { registrationOf } from "../registrations/findRegistration.ts";
import { abandonGrant } from "./abandonGrant.ts";
import { move } from "./attempts.ts";
import { linkAccount } from "./linkAccount.ts";

/** The provider's callback. */
export interface CallbackRequest {
  readonly provider: SocialProvider;
  readonly query: URLSearchParams;
  /** The secret in the cookie of an attempt; null in another browser. */
  readonly browserSecretOf: (attemptId: string) => string | null;
}

export type ConnectOutcome =
  | { readonly received: "ended" | "malformed" | "expired"; readonly attempt: ConnectAttempt }
  | { readonly received: "unknown-state" | "foreign-browser" | "state-used" };

/** Attempts at a call while the person waits. */
const MAX_CALLS = 3;

/**
 * Handles the provider's callback: exchanges the code, reads the account and links it. After consent, the grant is always
 * either linked or revoked.
 */
export function* completeConnect(world: World, request: CallbackRequest): TimedWork<ConnectOutcome> {
  const received = receiveCallback(world, request);
  if (received.received !== "code") return received;
  const key = codeKey(request.provider, request.query.get("code") ?? "", request.query.get("state") ?? "");
  const code = world.state.providers.codes.get(key);
  world.state.providers.codes.delete(key);
  return { received: "ended", attempt: yield* exchange(world, received.attempt, code ?? null) };
}

function receiveCallback(
  world: World,
  request: CallbackRequest,
): ConnectOutcome | { readonly received: "code"; readonly attempt: ConnectAttempt } {
  const attempt = findByState(world, world.state.connectAttempts.values(), callbackState(request.query));
  if (attempt === null || attempt.provider !== request.provider) return { received: "unknown-state" };
  const secret = request.browserSecretOf(attempt.id);
  if (secret === null || attempt.browserHash !== sha256Hex(secret)) return { received: "foreign-browser" };
  const event = readConnectCallback(request.query, providerIssuer(world.settings, request.provider));
  const consented = (late: ConnectAttempt) => (event === "CODE_RECEIVED" ? recordLateConsent(late) : late);
  if (attempt.status === "CANCELED") return { received: "ended", attempt };
  if (attempt.status === "EXPIRED") return { received: "expired", attempt: consented(attempt) };
  if (attempt.resultCode === "POLICY_CHANGED" && !attempt.isExchanged) {
    return { received: "ended", attempt: consented(attempt) };
  }
  if (attempt.status !== "AUTHORIZING") return { received: "state-used" };
  if (hasPassed(attempt.expiresAt, world.now()))
    return { received: "expired", attempt: consented(move(attempt, "DEADLINE_PASSED")) };
  if (world.state.applications.get(attempt.applicationId)?.enabled !== true) {
    return { received: "ended", attempt: move(attempt, "APPLICATION_DISABLED") };
  }
  if (event === "malformed") return { received: "malformed", attempt: move(attempt, "CALLBACK_ERROR") };
  move(attempt, event);
  attempt.isExchanged = event === "CODE_RECEIVED";
  return { received: event === "CODE_RECEIVED" ? "code" : "ended", attempt };
}

/** Records that the person consented to an ended attempt, whose code is not exchanged. */
function recordLateConsent(attempt: ConnectAttempt): ConnectAttempt {
  attempt.creatorAction = lateConsentCreatorAction(attempt) ?? attempt.creatorAction;
  return attempt;
}

/** Ends an EXCHANGING attempt with its code; null is a code that the provider does not know. */
export function* exchange(
  world: World,
  attempt: ConnectAttempt,
  code: AuthorizationCode | null,
): TimedWork<ConnectAttempt> {
  const account = code === null ? null : findAccount(code.provider, code.account);
  if (code === null || account === null || code.provider !== attempt.provider) {
    return endWithoutGrant(world, attempt, "EXCHANGE_REFUSED");
  }
  const since = world.state.revocationCount;
  const refused = yield* retried(() => startExchange(world, account));
  if (refused !== null) return endWithoutGrant(world, attempt, eventOf(refused));

  const registration = registrationOf(world, attempt.registrationId);
  const providerGrant = createGrant(world, account, code.scopes);
  const grant = createPendingGrant(world, attempt, account, providerGrant);
  const granted = connectionCapabilities(attempt.capabilities, capabilitiesOf(registration.scopes, code.scopes));
  const owner = ownerInTokens(account);
  if (granted.length === 0) return abandonGrant(world, attempt, grant, "NO_CAPABILITY_GRANTED", owner);

  const unread = yield* retried(
    () => startCall(world, providerGrant, "profile"),
    () => failureAtEnd(providerGrant),
  );
  const missing = account.script.hasChannel === false ? failure("rejected") : null;
  const failed = unread ?? missing;
  if (failed !== null) return abandonGrant(world, attempt, grant, unreadEvent(world, attempt, failed, since), owner);
  const answer: AccountProfile = readAccount(account);
  const notATester = account.script.notATester === true;
  const linked = linkAccount(world, attempt, { grant, account: answer, granted, notATester, since });
  return linked === null ? attempt : abandonGrant(world, attempt, grant, linked, answer);
}

/** Retries a call while the person waits. Returns its last failure, or null. */
function* retried(
  start: () => CallResult,
  atEnd: () => CallFailure | null = () => null,
): TimedWork<CallFailure | null> {
  for (let call = 1; ; call += 1) {
    const result = start();
    if (result.delayMs > 0) yield result.delayMs;
    const failed = result.failure ?? atEnd();
    if (failed === null || !isTransient(failed) || call >= MAX_CALLS) return failed;
  }
}

/** A new grant that has already ended was ended by a concurrent revoke at the provider, if there was one. */
function unreadEvent(
  world: World,
  { applicationId, provider }: ConnectAttempt,
  failed: CallFailure,
  since: number,
): ConnectAttemptEvent {
  const hasEnded = failed.kind === "grant_gone" || failed.kind === "access_expired";
  return hasEnded && wasRevokingSince(world, applicationId, provider, since) ? "POLICY_CHANGED" : eventOf(failed);
}

function eventOf(failed: CallFailure): "PROVIDER_UNAVAILABLE" | "EXCHANGE_REFUSED" {
  return isTransient(failed) ? "PROVIDER_UNAVAILABLE" : "EXCHANGE_REFUSED";
}

/**
 * The attempt may have ended during the exchange, after the person consented. Without revocation at the provider, only the
 * person can remove the app.
 */
export function endWithoutGrant(world: World, attempt: ConnectAttempt, event: ConnectAttemptEvent): ConnectAttempt {
  attempt.creatorAction = attemptCreatorAction(!PROVIDER_TRAITS[attempt.provider].canRevoke);
  return attempt.status === "EXCHANGING" ? move(attempt, eventInTime(attempt, event, world.now())) : attempt;
}

export function createPendingGrant(
  world: World,
  attempt: ConnectAttempt,
  account: Account,
  given: ProviderGrant,
): Grant {
  const now = world.now();
  const grant: Grant = {
    id: world.newId(),
    attemptId: attempt.id,
    connectionId: null,
    registrationId: attempt.registrationId,
    status: "PENDING",
    providerGrantId: given.id,
    owner: null,
    version: 1,
    ...tokensOf(account, now),
    createdAt: now,
    updatedAt: now,
  };
  world.state.grants.set(grant.id, grant);
  return grant;
}
