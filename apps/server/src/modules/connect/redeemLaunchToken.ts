import { createHash } from "node:crypto";
import { asksForAccountChoice, decideLaunch, decideLeavePane } from "@social-connect/domain";
import type { Application, ConnectAttempt } from "../../_generated/prisma/client.ts";
import { newSecretHex } from "../../platform/ids.ts";
import { equalHashes, sha256 } from "../../platform/secrets/hash.ts";
import type { RegistrationAccess } from "../../providers/contract.ts";
import {
  type ConsentPane,
  type Launched,
  type LaunchOutcome,
  type LaunchRequest,
  type LaunchSecrets,
  launchSecrets,
  redeemLaunch,
} from "../browser/launch.ts";
import { hasConnectionLike } from "../connections/scope.ts";
import { redirectUri } from "../registrations/callbackAddress.ts";
import { loadRegistration } from "../registrations/readRegistrations.ts";
import { registrationAccess } from "../registrations/registrationAccess.ts";
import type { Service } from "../service.ts";
import { cancelReconnects } from "./abandonAttempt.ts";
import { changeAttempt, lockAttempt } from "./attemptRow.ts";

/**
 * Exchanges the one-use launch token, posted by the application's page, for the provider's consent page, and binds the
 * attempt to this browser.
 */
export function redeemLaunchToken(service: Service, request: LaunchRequest): Promise<LaunchOutcome> {
  const include = { application: true };
  return redeemLaunch(
    service,
    request,
    (launchTokenHash) => service.prisma.connectAttempt.findFirst({ where: { launchTokenHash }, include }),
    (found, now) =>
      request.step === "LEAVE_PANE" ? leavePane(service, found, now, request) : launch(service, found, now, request),
  );
}

async function leavePane(
  service: Service,
  found: ConnectAttempt,
  now: Date,
  { secrets }: LaunchRequest,
): Promise<Launched> {
  return service.prisma.$transaction(async (transaction) => {
    const attempt = await lockAttempt(transaction, found);
    if (attempt === null) return { outcome: "token-spent" };
    const { outcome, patch } = decideLeavePane({ attempt, wasLaunchedHere: wasLaunchedWith(attempt, secrets) }, now);
    await changeAttempt(service, transaction, attempt, patch, now);
    return { outcome };
  });
}

async function launch(
  service: Service,
  found: ConnectAttempt & { readonly application: Application },
  now: Date,
  { step, secrets: ofPane, isOtherAccount = false }: LaunchRequest,
): Promise<Launched> {
  const { state, browserSecret } = ofPane ?? launchSecrets(newSecretHex());
  const adapter = service.provider(found.provider);
  const secrets = {
    browserHash: sha256(browserSecret.reveal()),
    stateHash: sha256(state.reveal()),
    codeVerifierSealed: adapter.traits.pkce
      ? service.secretBox.seal(newSecretHex(), codeVerifierBinding(found.id))
      : null,
  };
  const { application } = found;
  const launched = await service.prisma.$transaction(async (transaction) => {
    const attempt = await lockAttempt(transaction, found);
    if (attempt === null) return { outcome: "token-spent" } as const;
    const registration = await loadRegistration(transaction, attempt.registrationId);
    const { previewOriginTemplate: previewTemplate } = service;
    const wasLaunchedHere = wasLaunchedWith(attempt, ofPane);
    const facts = { attempt, application, registration, previewTemplate, wasLaunchedHere };
    const { outcome, patch, followUps } = decideLaunch(facts, now);
    // Before anything is stored or shown: it throws for a row that was changed outside of the service.
    const access = registrationAccess(service, registration, now);
    // The token stays valid for the pane's button.
    const { reconnectConnectionId } = attempt;
    const hasConnection = await hasConnectionLike(transaction, attempt);
    const isAccountChoice = asksForAccountChoice({ reconnectConnectionId, hasConnection, isOtherAccount });
    if (outcome === "redirect" && (step === "REQUEST_PANE" || step === "SHOW_PANE")) {
      const isInReach = reconnectConnectionId === null && !isAccountChoice;
      const offersOtherAccount = isInReach && adapter.traits.accountChoice === "on-request";
      return { outcome: "pane", access, offersOtherAccount } as const;
    }
    const changed = await changeAttempt(
      service,
      transaction,
      attempt,
      patch,
      now,
      outcome === "redirect" ? secrets : {},
    );
    for (const followUp of followUps) await cancelReconnects(transaction, application.id, followUp, now);
    return { outcome, access, isAccountChoice, verifierSealed: changed.codeVerifierSealed };
  });
  if (launched.outcome === "pane") return { outcome: "pane", pane: consentPane(found, launched, now) };
  if (launched.outcome !== "redirect") return { outcome: launched.outcome };

  const { verifierSealed, isAccountChoice } = launched;
  const verifier = verifierSealed && service.secretBox.open(verifierSealed, codeVerifierBinding(found.id));
  const location = await adapter.authorizationUrl(launched.access, {
    redirectUri: redirectUri(service, found.provider),
    state: state.reveal(),
    capabilities: found.capabilities,
    codeChallenge: verifier && createHash("sha256").update(verifier).digest("base64url"),
    isAccountChoice,
  });
  return { outcome: "redirect", location, browserSecret, expiresAt: found.expiresAt };
}

/** Whether this browser launched the attempt, and its user returned from the provider. */
function wasLaunchedWith({ stateHash }: ConnectAttempt, secrets: LaunchSecrets | undefined): boolean {
  return secrets !== undefined && stateHash !== null && equalHashes(sha256(secrets.state.reveal()), stateHash);
}

function consentPane(
  { provider, capabilities, expiresAt }: ConnectAttempt,
  { access, offersOtherAccount }: { readonly access: RegistrationAccess; readonly offersOtherAccount: boolean },
  now: Date,
): ConsentPane {
  const { host: providerHost, protocol } = new URL(access.addresses.authorization);
  const isPlainHttp = protocol === "http:";
  return { provider, providerHost, isPlainHttp, capabilities, offersOtherAccount, expiresAt, now };
}

/** Binds a sealed PKCE verifier to its row and column. */
export function codeVerifierBinding(attemptId: string): string {
  return `connect_attempt/${attemptId}/code_verifier`;
}
