import type { SocialProvider } from "@social-connect/contract";
import {
  callbackState,
  connectionCapabilities,
  decideCallback,
  exchangeFailureEvent,
  isTransientFault,
  readConnectCallback,
} from "@social-connect/domain";
import { type Account, type AccountProfile, findAccount, readAccount } from "../../providers/accounts.ts";
import { capabilitiesOf, codeKey } from "../../providers/scopes.ts";
import { providerIssuer } from "../../state/addresses.ts";
import { type CallFailure, failure } from "../../state/providerCall.ts";
import type { AuthorizationCode, ProviderGrant } from "../../state/providerState.ts";
import type { ConnectAttempt, Grant } from "../../state/state.ts";
import { type CallResult, failureAtEnd, startCall, startExchange, startProbe } from "../../upstream/calls.ts";
import { createGrant, ownerInTokens, tokensOf } from "../../upstream/grants.ts";
import { sha256Hex } from "../../util/hash.ts";
import type { TimedWork } from "../../world/schedule.ts";
import type { World } from "../../world/world.ts";
import { findByState } from "../browser/launch.ts";
import { patchAttempt } from "../events/recordEvents.ts";
import { registrationOf } from "../registrations/findRegistration.ts";
import { wasRevokingSince } from "../revocations/providerRevocations.ts";
import { abandonAttempt } from "./connectSessions.ts";
import { linkAccount } from "./linkAccount.ts";

export interface CallbackRequest {
  readonly provider: SocialProvider;
  readonly query: URLSearchParams;
  /** The secret in the cookie of an attempt; null in another browser. */
  readonly browserSecretOf: (attemptId: string) => string | null;
}

export type ConnectOutcome =
  | { readonly outcome: "ended" | "malformed" | "expired"; readonly attempt: ConnectAttempt }
  | { readonly outcome: "unknown-state" | "foreign-browser" | "state-used" };

/** Attempts at a call while the person waits. */
const MAX_CALLS = 3;

/**
 * Handles the provider's callback: exchanges the code, reads the account and links it. After consent, the grant is always
 * either linked or revoked.
 */
export function* completeConnect(world: World, request: CallbackRequest): TimedWork<ConnectOutcome> {
  const received = receiveCallback(world, request);
  if (received.outcome !== "code") return received;
  const key = codeKey(request.provider, request.query.get("code") ?? "", request.query.get("state") ?? "");
  const code = world.state.providers.codes.get(key);
  world.state.providers.codes.delete(key);
  return { outcome: "ended", attempt: yield* exchange(world, received.attempt, code ?? null) };
}

function receiveCallback(
  world: World,
  { provider, query, browserSecretOf }: CallbackRequest,
): ConnectOutcome | { readonly outcome: "code"; readonly attempt: ConnectAttempt } {
  const attempt = findByState(world.state.connectAttempts.values(), callbackState(query));
  const secret = attempt && browserSecretOf(attempt.id);
  const facts = {
    attempt,
    provider,
    isBoundBrowser: secret !== null && attempt?.browserHash === sha256Hex(secret),
    event: readConnectCallback(query, providerIssuer(world.settings, provider)),
    applicationEnabled: world.state.applications.get(attempt?.applicationId ?? "")?.enabled === true,
  };
  const { received: outcome, patch } = decideCallback(facts, world.now());
  if (attempt === null || outcome === "unknown-state") return { outcome: "unknown-state" };
  if (outcome === "foreign-browser" || outcome === "state-used") return { outcome };
  patchAttempt(world, attempt, { ...patch, ...(outcome === "code" && startedExchange(world)) });
  return { outcome, attempt };
}

export function startedExchange({ state }: World): Pick<ConnectAttempt, "exchangeGeneration"> {
  return { exchangeGeneration: state.revocationCount };
}

/** Ends an EXCHANGING attempt with its code; null is a code that the provider does not know. */
export function* exchange(
  world: World,
  attempt: ConnectAttempt,
  code: AuthorizationCode | null,
): TimedWork<ConnectAttempt> {
  const account = code === null ? null : findAccount(code.provider, code.account);
  if (code === null || account === null || code.provider !== attempt.provider) {
    // The provider rejects an unknown code, unless a fault of no particular account comes first.
    const { provider } = attempt;
    const failed = yield* retried(() => ({ delayMs: 0, failure: startProbe(world, provider, "exchange") }));
    return abandonAttempt(world, attempt, failed === null ? "EXCHANGE_REFUSED" : exchangeFailureEvent(failed), null);
  }
  const refused = yield* retried(() => startExchange(world, account));
  if (refused !== null) return abandonAttempt(world, attempt, exchangeFailureEvent(refused), null);

  const registration = registrationOf(world, attempt.registrationId);
  const providerGrant = createGrant(world, account, code.scopes);
  const grant = createPendingGrant(world, attempt, account, providerGrant);
  const granted = connectionCapabilities(attempt.capabilities, capabilitiesOf(registration.scopes, code.scopes));
  const pending = { grant, owner: ownerInTokens(account) };
  if (granted.length === 0) return abandonAttempt(world, attempt, "NO_CAPABILITY_GRANTED", pending);

  const unread = yield* retried(
    () => startCall(world, providerGrant, "profile"),
    () => failureAtEnd(providerGrant),
  );
  const missing = account.script.hasChannel === false ? failure("rejected") : null;
  const failed = unread ?? missing;
  if (failed !== null) {
    const { applicationId, provider, exchangeGeneration } = attempt;
    const wasRevoked = wasRevokingSince(world, applicationId, provider, exchangeGeneration ?? 0);
    return abandonAttempt(world, attempt, exchangeFailureEvent(failed, wasRevoked), pending);
  }
  const answer: AccountProfile = readAccount(account);
  const notATester = account.script.notATester === true;
  const refusedBy = linkAccount(world, attempt, { grant, account: answer, granted, notATester });
  return refusedBy === null ? attempt : abandonAttempt(world, attempt, refusedBy, { grant, owner: answer });
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
    if (failed === null || !isTransientFault(failed) || call >= MAX_CALLS) return failed;
  }
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
