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
import { failure, isPassing } from "../../state/providerCall.ts";
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
import { move } from "./attempts.ts";
import { failConsented } from "./failConsented.ts";
import { linkAccount } from "./linkAccount.ts";

/** What the browser brought back from the provider. */
export interface CallbackRequest {
  readonly provider: SocialProvider;
  readonly query: URLSearchParams;
  /** The secret of the cookie that was set for an attempt when it was launched, if this browser has it. */
  readonly browserSecretOf: (attemptId: string) => string | null;
}

export type ConnectOutcome =
  | { readonly received: "ended" | "malformed" | "expired"; readonly attempt: ConnectAttempt }
  | { readonly received: "unknown-state" | "foreign-browser" | "state-used" };

/** A call that a person waits for is tried so often. */
const TRIES = 3;

/**
 * The provider's callback, from the browser's query to the end of the attempt: receive, exchange, read the account, link
 * it. Whatever happens after consent, the grant that was given is either linked or given back.
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
  const consented = (late: ConnectAttempt) => (event === "CODE_RECEIVED" ? noteLateConsent(late) : late);
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

/** The code of an attempt that is over is not exchanged. Its person did consent. */
function noteLateConsent(attempt: ConnectAttempt): ConnectAttempt {
  attempt.creatorAction = lateConsentCreatorAction(attempt) ?? attempt.creatorAction;
  return attempt;
}

/** From an EXCHANGING attempt and the code it brought to its end; null is a code that the provider does not know. */
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
  const refused = yield* tried(() => startExchange(world, account));
  if (refused !== null) return endWithoutGrant(world, attempt, eventOf(refused));

  const registration = registrationOf(world, attempt.registrationId);
  const providerGrant = createGrant(world, account, code.scopes);
  const grant = keepPendingGrant(world, attempt, account, providerGrant);
  const granted = connectionCapabilities(attempt.capabilities, capabilitiesOf(registration.scopes, code.scopes));
  const told = ownerInTokens(account);
  if (granted.length === 0) return failConsented(world, attempt, grant, "NO_CAPABILITY_GRANTED", told);

  const unread = yield* tried(
    () => startCall(world, providerGrant, "profile"),
    () => failureAtEnd(providerGrant),
  );
  const missing = account.script.hasChannel === false ? failure("rejected") : null;
  const failed = unread ?? missing;
  if (failed !== null) return failConsented(world, attempt, grant, unreadEvent(world, attempt, failed, since), told);
  const answer: AccountProfile = readAccount(account);
  const notATester = account.script.notATester === true;
  const linked = linkAccount(world, attempt, { grant, account: answer, granted, notATester, since });
  return linked === null ? attempt : failConsented(world, attempt, grant, linked, answer);
}

/** A call with the tries that it gets while somebody waits; its last failure, or null. */
function* tried(begin: () => CallResult, atEnd: () => CallFailure | null = () => null): TimedWork<CallFailure | null> {
  for (let attempt = 1; ; attempt += 1) {
    const course = begin();
    if (course.delayMs > 0) yield course.delayMs;
    const failed = course.failure ?? atEnd();
    if (failed === null || !isPassing(failed) || attempt >= TRIES) return failed;
  }
}

/** A new grant that is dead already was ended by whoever revoked at the provider meanwhile, as far as anyone did. */
function unreadEvent(
  world: World,
  { applicationId, provider }: ConnectAttempt,
  failed: CallFailure,
  since: number,
): ConnectAttemptEvent {
  const isDead = failed.kind === "grant_gone" || failed.kind === "access_expired";
  return isDead && wasRevokingSince(world, applicationId, provider, since) ? "POLICY_CHANGED" : eventOf(failed);
}

function eventOf(failed: CallFailure): "PROVIDER_UNAVAILABLE" | "EXCHANGE_REFUSED" {
  return isPassing(failed) ? "PROVIDER_UNAVAILABLE" : "EXCHANGE_REFUSED";
}

/**
 * The attempt may have ended while the code was being exchanged. The person consented all the same: where the provider has
 * no way to give that back, only the person can.
 */
export function endWithoutGrant(world: World, attempt: ConnectAttempt, event: ConnectAttemptEvent): ConnectAttempt {
  attempt.creatorAction = attemptCreatorAction(!PROVIDER_TRAITS[attempt.provider].canRevoke);
  return attempt.status === "EXCHANGING" ? move(attempt, eventInTime(attempt, event, world.now())) : attempt;
}

export function keepPendingGrant(world: World, attempt: ConnectAttempt, account: Account, given: ProviderGrant): Grant {
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
