import type { Capability } from "@social-connect/contract";
import type { ConnectAttemptEvent } from "@social-connect/domain";
import { attemptCreatorAction, connectionCapabilities, eventInTime } from "@social-connect/domain";
import type { ConnectAttempt } from "../../_generated/prisma/client.ts";
import { newId } from "../../platform/ids.ts";
import { withRetries } from "../../platform/retry.ts";
import type {
  CodeExchange,
  ProviderAccount,
  ProviderAdapter,
  ProviderTokens,
  RegistrationAccess,
} from "../../providers/contract.ts";
import { ProviderError } from "../../providers/contract.ts";
import type { GrantOwner } from "../grants/grantOwner.ts";
import { sealOwner } from "../grants/grantOwner.ts";
import { sealTokens } from "../grants/sealTokens.ts";
import { meteredAccess } from "../quota/meteredAccess.ts";
import { redirectUri } from "../registrations/callbackAddress.ts";
import { loadRegistration } from "../registrations/readRegistrations.ts";
import { registrationAccess } from "../registrations/registrationAccess.ts";
import { wasRevokingSince } from "../revocations/providerRevocations.ts";
import type { Service } from "../service.ts";
import { abandonGrant } from "./abandonGrant.ts";
import { linkAccount } from "./linkAccount.ts";
import type { CallbackRequest, ReceivedCallback } from "./receiveCallback.ts";
import { move, receiveCallback } from "./receiveCallback.ts";
import { codeVerifierBinding } from "./redeemLaunchToken.ts";
import { lockAttempt } from "./store.ts";

export type ConnectOutcome = Exclude<ReceivedCallback, { received: "code" }>;

/**
 * Completes a connect attempt from the provider's callback: receive, exchange the code, read the account, link it.
 * After consent, the grant is always either linked or revoked.
 */
export async function completeConnect(service: Service, request: CallbackRequest): Promise<ConnectOutcome> {
  const received = await receiveCallback(service, request);
  if (received.received !== "code") return received;
  return { received: "ended", attempt: await exchange(service, received.attempt, request.query) };
}

async function exchange(service: Service, attempt: ConnectAttempt, query: URLSearchParams): Promise<ConnectAttempt> {
  const adapter = service.provider(attempt.provider);
  const stored = await loadRegistration(service.prisma, attempt.registrationId);
  const registration = registrationAccess(service, stored, await service.clock.now());
  let tokens: ProviderTokens;
  try {
    const code = codeOf(service, attempt, query);
    tokens = await withRetries(() => adapter.exchangeCode(registration, code), isTransient);
  } catch (error) {
    return endWithoutGrant(service, attempt, failureEvent(service, error));
  }
  // Stored before anything else can fail: if the process crashes, the sweep finds the grant and revokes it.
  const grantId = await storePendingGrant(service, attempt, tokens);
  const granted = grantedOf(attempt, tokens);
  const { providerAccountId } = tokens;
  const owner = ownerFrom(tokens);
  if (granted.length === 0) return abandonGrant(service, attempt, grantId, "NO_CAPABILITY_GRANTED", owner);

  const metered = meteredAccess(service, stored, registration, { background: false, providerAccountId });
  let account: ProviderAccount;
  try {
    account = await withRetries(() => readAccount(adapter, metered, tokens, granted), isTransient);
  } catch (error) {
    return abandonGrant(service, attempt, grantId, await readFailureEvent(service, attempt, error), owner);
  }
  const linked = await linkAccount(service, attempt, { grantId, tokens, account, granted });
  if (linked.outcome === "linked") return linked.attempt;
  return abandonGrant(service, attempt, grantId, linked.event, account);
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

function readAccount(
  adapter: ProviderAdapter,
  registration: RegistrationAccess,
  tokens: ProviderTokens,
  capabilities: readonly Capability[],
): Promise<ProviderAccount> {
  const { accessToken, providerAccountId } = tokens;
  return adapter.readAccount({ registration, accessToken, providerAccountId, capabilities });
}

/** Requested and granted capabilities. A token response without a scope granted the requested one (RFC 6749 5.1). */
function grantedOf(attempt: ConnectAttempt, tokens: ProviderTokens): Capability[] {
  return connectionCapabilities(attempt.capabilities, tokens.grantedCapabilities ?? attempt.capabilities);
}

/** Some providers return the account ID with the tokens. */
function ownerFrom({ providerAccountId }: ProviderTokens): GrantOwner | null {
  return providerAccountId === null ? null : { providerAccountId, providerUserKey: null };
}

async function storePendingGrant(service: Service, attempt: ConnectAttempt, tokens: ProviderTokens): Promise<string> {
  const id = newId();
  const now = await service.clock.now();
  const owner = ownerFrom(tokens);
  await service.prisma.grant.create({
    data: {
      id,
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

/**
 * Ends an attempt whose code exchange failed. The user consented, so without a revoke API only the user can remove the
 * app.
 */
async function endWithoutGrant(
  service: Service,
  attempt: ConnectAttempt,
  event: ConnectAttemptEvent,
): Promise<ConnectAttempt> {
  const ending = eventInTime(attempt, event, await service.clock.now());
  return service.prisma.$transaction(async (transaction) => {
    const current = (await lockAttempt(transaction, attempt.id)) ?? attempt;
    const ended = current.status === "EXCHANGING" ? await move(transaction, current, ending) : current;
    const creatorAction = attemptCreatorAction(!service.provider(attempt.provider).traits.canRevoke);
    if (creatorAction === null) return ended;
    return transaction.connectAttempt.update({ where: { id: attempt.id }, data: { creatorAction } });
  });
}

function isTransient(error: unknown): boolean {
  return error instanceof ProviderError && (error.kind === "unavailable" || error.kind === "rate_limited");
}

/** If a new grant is already invalid because of a concurrent revoke, the attempt ends as POLICY_CHANGED. */
async function readFailureEvent(
  service: Service,
  { applicationId, provider, exchangeGeneration }: ConnectAttempt,
  error: unknown,
): Promise<ConnectAttemptEvent> {
  const event = failureEvent(service, error);
  const isInvalid = error instanceof ProviderError && (error.kind === "grant_gone" || error.kind === "access_expired");
  const isRevoked =
    isInvalid && (await wasRevokingSince(service.prisma, applicationId, provider, exchangeGeneration ?? 0n));
  return isRevoked ? "POLICY_CHANGED" : event;
}

function failureEvent(service: Service, error: unknown): "PROVIDER_UNAVAILABLE" | "EXCHANGE_REFUSED" {
  if (!(error instanceof ProviderError)) throw error;
  service.logger.warn({ kind: error.kind, reason: error.message }, "connect attempt failed at the provider");
  return isTransient(error) ? "PROVIDER_UNAVAILABLE" : "EXCHANGE_REFUSED";
}
