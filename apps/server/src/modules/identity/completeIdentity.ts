import {
  callbackState,
  decideIdentityCallback,
  decideIdentityEnd,
  identityEvent,
  isIdentityDenial,
  type SignedInUser,
} from "@social-connect/domain";
import type { IdentityAttempt, Prisma } from "../../_generated/prisma/client.ts";
import { securityLog } from "../../platform/log/securityLog.ts";
import { sha256 } from "../../platform/secrets/hash.ts";
import { attemptOfPage, type Callback, type CallbackOutcome, isBoundBrowser } from "../browser/launch.ts";
import { recordEvents } from "../events/recordEvents.ts";
import { issuerFailure } from "../openid/openIdProvider.ts";
import { type ExchangeSecrets, signInAtIssuer } from "../openid/signInAtIssuer.ts";
import { keyOf } from "../rowKey.ts";
import type { Service } from "../service.ts";
import { exchangeBinding, identityResultBinding } from "./identityAttempt.ts";
import { identityRedirectUri } from "./launchIdentity.ts";

type IdentityOutcome = CallbackOutcome<IdentityAttempt>;

/**
 * Handles the issuer's callback: exchanges the code and validates the ID token (OpenID Connect Core 3.1.3.7). FAILED for
 * every error.
 */
export async function completeIdentity(service: Service, callback: Callback): Promise<IdentityOutcome> {
  const state = callbackState(callback.query);
  if (state === null) return { outcome: "unknown-state" };
  const found = await service.prisma.identityAttempt.findFirst({ where: { stateHash: sha256(state) } });
  if (found === null) return { outcome: "unknown-state" };
  const facts = {
    attempt: found,
    isBoundBrowser: isBoundBrowser(found, callback.browserSecretOf(found.id)),
    isStateUsed: found.exchangeSealed === null,
    isDenied: isIdentityDenial(callback.query),
  };
  const now = await service.clock.now();
  const { outcome, patch } = decideIdentityCallback(facts, now);
  if (outcome === "unknown-state") return { outcome };
  if (outcome === "foreign-browser" || outcome === "state-used") return { outcome, ...attemptOfPage(found) };
  if (patch !== null) {
    // Clearing the sealed verifier consumes the state, so only one of two concurrent callbacks finds it.
    const data = { ...patch, exchangeSealed: null };
    if (!(await change(service, found, data, now, { exchangeSealed: { not: null } })))
      return { outcome: "state-used", ...attemptOfPage(found) };
  }
  if (outcome !== "code") return { outcome, attempt: { ...found, ...patch } };
  const secrets = service.secretBox.open(found.exchangeSealed ?? "", exchangeBinding(found.id));
  const user = await signIn(service, found.id, callback.query, state, JSON.parse(secrets));
  return end(service, found, user);
}

async function signIn(
  service: Service,
  attemptId: string,
  query: URLSearchParams,
  state: string,
  secrets: ExchangeSecrets,
): Promise<SignedInUser | null> {
  if (service.issuer === null) return null;
  try {
    const redirectUri = identityRedirectUri(service);
    const account = await signInAtIssuer(service, service.issuer, { redirectUri, query, state, secrets });
    const { issuer, subject: idpSub, email, emailVerified, name, pictureUrl } = account;
    return { issuer, idpSub, email, emailVerified, name, pictureUrl };
  } catch (error) {
    securityLog(service).record("identity.sign_in_failed", { attemptId, reason: issuerFailure(error) });
    return null;
  }
}

/** Ends the attempt, unless it ended during the exchange; final states never change. */
async function end(service: Service, found: IdentityAttempt, user: SignedInUser | null): Promise<IdentityOutcome> {
  const { id } = found;
  const now = await service.clock.now();
  const event = user === null ? "HANDOFF_FAILED" : "SIGNED_IN";
  const patch = decideIdentityEnd(found, event, now);
  const isCompleted = user !== null && patch?.status === "COMPLETED";
  const resultSealed = isCompleted ? service.secretBox.seal(JSON.stringify(user), identityResultBinding(id)) : null;
  await change(service, found, { ...patch, resultSealed }, now);
  const attempt = await service.prisma.identityAttempt.findUniqueOrThrow({ where: keyOf(found) });
  return { outcome: attempt.status === "EXPIRED" ? "expired" : "ended", attempt };
}

/** Changes a pending attempt, and tells its application if it has ended. False if it is not pending. */
async function change(
  service: Service,
  { id, applicationId }: IdentityAttempt,
  data: Prisma.IdentityAttemptUpdateManyMutationInput,
  now: Date,
  condition: Prisma.IdentityAttemptWhereInput = {},
): Promise<boolean> {
  return service.prisma.$transaction(async (transaction) => {
    const where = { id, applicationId, status: "PENDING", ...condition } as const;
    const changed = await transaction.identityAttempt.updateManyAndReturn({ where, data });
    await recordEvents(service, transaction, now, changed.map(identityEvent));
    return changed.length > 0;
  });
}
