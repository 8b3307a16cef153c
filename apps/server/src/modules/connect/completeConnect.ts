import type { SocialProvider } from "@social-connect/contract";
import {
  callbackState,
  connectionCapabilities,
  decideCallback,
  exchangeFailureEvent,
  type GrantOwner,
  readConnectCallback,
} from "@social-connect/domain";
import type { ConnectAttempt } from "../../_generated/prisma/client.ts";
import { newId } from "../../platform/ids.ts";
import { withRetries } from "../../platform/retry.ts";
import { sha256 } from "../../platform/secrets/hash.ts";
import type {
  CodeExchange,
  ProviderAccount,
  ProviderError,
  ProviderTokens,
  RegistrationAccess,
} from "../../providers/contract.ts";
import { providerAddresses } from "../../providers/registration.ts";
import { providerErrorOf } from "../../providers/serviceFault.ts";
import { attemptOfPage, type Callback, type CallbackOutcome, isBoundBrowser } from "../browser/launch.ts";
import { sealOwner } from "../grants/grantOwner.ts";
import { sealTokens } from "../grants/sealTokens.ts";
import { redirectUri } from "../registrations/callbackAddress.ts";
import { answerOfFault, noteAttemptAnswer } from "../registrations/noteAnswer.ts";
import { noteRefusal } from "../registrations/noteRefusal.ts";
import { loadRegistration } from "../registrations/readRegistrations.ts";
import { registrationAccess } from "../registrations/registrationAccess.ts";
import { nextRevocationGeneration, wasRevokingSince } from "../revocations/providerRevocations.ts";
import type { Service } from "../service.ts";
import { abandonAttempt, type PendingGrant } from "./abandonAttempt.ts";
import { changeAttempt, lockAttempt } from "./attemptRow.ts";
import { linkAccount } from "./linkAccount.ts";
import { isTransient, readConsentedAccount } from "./readConsentedAccount.ts";
import { codeVerifierBinding } from "./redeemLaunchToken.ts";

/**
 * Completes a connect attempt from the provider's callback: receive, exchange the code, read the account, link it.
 * After consent, the grant is always either linked or revoked.
 */
export async function completeConnect(
  service: Service,
  request: CallbackRequest,
): Promise<CallbackOutcome<ConnectAttempt>> {
  const received = await receiveCallback(service, request);
  if (received.outcome === "ended") await noteAttemptAnswer(service, received.attempt, errorCodeOf(request.query));
  if (received.outcome !== "code") return received;
  return { outcome: "ended", attempt: await exchange(service, received.attempt, request.query) };
}

async function exchange(service: Service, attempt: ConnectAttempt, query: URLSearchParams): Promise<ConnectAttempt> {
  const { applicationId, provider, exchangeGeneration } = attempt;
  const adapter = service.provider(provider);
  const stored = await loadRegistration(service.prisma, attempt.registrationId);
  const now = await service.clock.now();
  let registration: RegistrationAccess;
  let tokens: ProviderTokens;
  try {
    registration = registrationAccess(service, stored, now);
    const code = codeOf(service, attempt, query);
    tokens = await noteRefusal(service, stored, () =>
      withRetries(() => adapter.exchangeCode(registration, code), isTransient),
    );
  } catch (error) {
    return abandonFailed(service, attempt, { fault: loggedError(service, error), wasRevoked: false }, null);
  }
  // Stored before anything else can fail: if the process crashes, the sweep finds the grant and revokes it.
  const { providerAccountId } = tokens;
  const owner = providerAccountId === null ? null : { providerAccountId, providerUserKey: null };
  const grant = { id: await storePendingGrant(service, attempt, tokens, owner), owner };
  // A token response without a scope granted the requested one (RFC 6749 5.1).
  const granted = connectionCapabilities(attempt.capabilities, tokens.grantedCapabilities ?? attempt.capabilities);
  if (granted.length === 0) return abandonAttempt(service, attempt, "NO_CAPABILITY_GRANTED", grant);

  const use = { urgency: "requested", applicationId, providerAccountId } as const;
  let account: ProviderAccount;
  try {
    const session = { registration, accessToken: tokens.accessToken, providerAccountId, capabilities: granted };
    account = await readConsentedAccount(service, stored, session, use);
  } catch (error) {
    const fault = loggedError(service, error);
    const wasRevoked = await wasRevokingSince(service.prisma, applicationId, provider, exchangeGeneration ?? 0n);
    return abandonFailed(service, attempt, { fault, wasRevoked }, grant);
  }
  const linked = await linkAccount(service, attempt, { grantId: grant.id, tokens, account, granted });
  if (!("refusedBy" in linked)) return linked;
  return abandonAttempt(service, attempt, linked.refusedBy, { ...grant, owner: account });
}

/** The error code of a callback (RFC 6749, section 4.1.2.1). A browser sends it, so that other text is not kept. */
function errorCodeOf(query: URLSearchParams): string | null {
  return /^[\w.-]{1,64}$/.exec(query.get("error") ?? "")?.[0] ?? null;
}

interface Failure {
  readonly fault: ProviderError;
  /** The user's consents were being revoked meanwhile. */
  readonly wasRevoked: boolean;
}

async function abandonFailed(
  service: Service,
  attempt: ConnectAttempt,
  { fault, wasRevoked }: Failure,
  grant: PendingGrant | null,
): Promise<ConnectAttempt> {
  const ended = await abandonAttempt(service, attempt, exchangeFailureEvent(fault, wasRevoked), grant);
  if (fault.kind !== "internal") await noteAttemptAnswer(service, ended, answerOfFault(fault));
  return ended;
}

function codeOf(service: Service, attempt: ConnectAttempt, query: URLSearchParams): CodeExchange {
  const address = redirectUri(service, attempt.provider);
  const verifier = attempt.codeVerifierSealed;
  return {
    redirectUri: address,
    callbackUrl: new URL(`${address}?${query}`),
    state: query.get("state") ?? "",
    codeVerifier: verifier === null ? null : service.secretBox.open(verifier, codeVerifierBinding(attempt.id)),
  };
}

async function storePendingGrant(
  service: Service,
  attempt: ConnectAttempt,
  tokens: ProviderTokens,
  owner: GrantOwner | null,
): Promise<string> {
  const id = newId();
  const now = await service.clock.now();
  await service.prisma.grant.create({
    data: {
      id,
      applicationId: attempt.applicationId,
      registrationId: attempt.registrationId,
      attemptId: attempt.id,
      status: "PENDING",
      ...sealTokens(service.secretBox, id, tokens),
      ownerSealed: owner && sealOwner(service.secretBox, id, owner),
      createdAt: now,
      updatedAt: now,
    },
  });
  return id;
}

function loggedError(service: Service, error: unknown): ProviderError {
  const fault = providerErrorOf(error);
  const { kind, message: reason } = fault;
  if (kind === "internal")
    service.logger.error({ err: error, reason }, "connect attempt failed because of the service");
  else service.logger.warn({ kind, reason }, "connect attempt failed at the provider");
  return fault;
}

/** The provider's redirect. */
interface CallbackRequest extends Callback {
  readonly provider: SocialProvider;
}

type ReceivedCallback =
  | CallbackOutcome<ConnectAttempt>
  /** The attempt is EXCHANGING, and no other request can use the same state. */
  | { readonly outcome: "code"; readonly attempt: ConnectAttempt };

/** Receives a callback before any call to the provider. */
async function receiveCallback(service: Service, request: CallbackRequest): Promise<ReceivedCallback> {
  const { provider, query, browserSecretOf } = request;
  const state = callbackState(query);
  if (state === null) return { outcome: "unknown-state" };
  const found = await service.prisma.connectAttempt.findFirst({
    where: { stateHash: sha256(state) },
    include: { application: { select: { enabled: true } }, registration: { select: { addresses: true } } },
  });
  if (found === null) return { outcome: "unknown-state" };
  const { issuer, authorization } = providerAddresses.parse(found.registration.addresses);
  const isBound = isBoundBrowser(found, browserSecretOf(found.id));
  const event = readConnectCallback(query, issuer ?? new URL(authorization).origin);
  const now = await service.clock.now();
  return service.prisma.$transaction(async (transaction) => {
    const attempt = await lockAttempt(transaction, found);
    const facts = { attempt, provider, isBoundBrowser: isBound, event, applicationEnabled: found.application.enabled };
    const { received: outcome, patch } = decideCallback(facts, now);
    if (attempt === null || outcome === "unknown-state") return { outcome: "unknown-state" };
    if (outcome === "foreign-browser" || outcome === "state-used") return { outcome, ...attemptOfPage(attempt) };
    const exchange = outcome === "code" ? { exchangeGeneration: await nextRevocationGeneration(transaction) } : {};
    return { outcome, attempt: await changeAttempt(service, transaction, attempt, patch, now, exchange) };
  });
}
