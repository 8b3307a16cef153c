import { createHash } from "node:crypto";
import type { ConnectAttemptEvent } from "@social-connect/domain";
import { hasPassed, isLaunchOriginAllowed, isLaunchToken, mayReturnTo, moveAttempt } from "@social-connect/domain";
import type { Application, ConnectAttempt, ProviderRegistration } from "../../_generated/prisma/client.ts";
import { sha256 } from "../../platform/hash.ts";
import { newSecretHex } from "../../platform/ids.ts";
import { Secret } from "../../platform/secret.ts";
import type { LaunchOutcome } from "../browser/launch.ts";
import { redirectUri } from "../registrations/callbackAddress.ts";
import { loadRegistration } from "../registrations/readRegistrations.ts";
import { registrationAccess } from "../registrations/registrationAccess.ts";
import type { Service } from "../service.ts";
import { cancelOlderReconnects, lockAttempt } from "./store.ts";

/**
 * Exchanges the one-use launch token, posted by the application's page, for the provider's consent page, and binds the
 * attempt to this browser. A post from another origin changes nothing, which prevents login CSRF: an attacker's page
 * cannot make a visitor finish the attacker's attempt.
 */
export async function redeemLaunchToken(
  service: Service,
  { launchToken, origin }: { readonly launchToken: string; readonly origin: string | null },
): Promise<LaunchOutcome> {
  const found = isLaunchToken(launchToken)
    ? await service.prisma.connectAttempt.findUnique({
        where: { launchTokenHash: sha256(launchToken) },
        include: { application: true },
      })
    : null;
  const now = await service.clock.now();
  // After this time the attempt counts as deleted, even before the sweep runs.
  if (found === null || hasPassed(found.resultExpiresAt, now)) return { outcome: "token-spent", attemptId: null };
  const { application } = found;
  if (!isLaunchOriginAllowed(origin, application, service.previewOriginTemplate)) {
    return { outcome: "origin-refused", originMissing: origin === null || origin === "null", attemptId: found.id };
  }
  return launch(service, found, application, now);
}

async function launch(
  service: Service,
  found: ConnectAttempt,
  application: Application,
  now: Date,
): Promise<LaunchOutcome> {
  const state = new Secret(newSecretHex());
  const browserSecret = new Secret(newSecretHex());
  const adapter = service.provider(found.provider);
  const codeVerifier = adapter.traits.pkce ? new Secret(newSecretHex()) : null;

  const registration = await service.prisma.$transaction(
    async (transaction): Promise<ProviderRegistration | LaunchOutcome> => {
      const attempt = await lockAttempt(transaction, found.id);
      if (attempt?.status === "EXPIRED") return { outcome: "expired" };
      if (attempt === null || attempt.status !== "CREATED") return { outcome: "token-spent", attemptId: found.id };
      if (hasPassed(attempt.expiresAt, now)) {
        await transaction.connectAttempt.update({ where: { id: attempt.id }, data: moved(attempt, "DEADLINE_PASSED") });
        return { outcome: "expired" };
      }
      if (!application.enabled) {
        await transaction.connectAttempt.update({
          where: { id: attempt.id },
          data: moved(attempt, "APPLICATION_DISABLED"),
        });
        return { outcome: "unavailable" };
      }
      if (!mayReturnTo(attempt.returnUrl, application, service.previewOriginTemplate)) {
        await transaction.connectAttempt.update({ where: { id: attempt.id }, data: moved(attempt, "POLICY_CHANGED") });
        return { outcome: "unavailable" };
      }
      const serving = await loadRegistration(transaction, attempt.registrationId);
      if (serving.status !== "PUBLISHED") return { outcome: "unavailable" };
      await transaction.connectAttempt.update({
        where: { id: attempt.id },
        data: {
          ...moved(attempt, "LAUNCH_REDEEMED"),
          browserHash: sha256(browserSecret.reveal()),
          stateHash: sha256(state.reveal()),
          codeVerifierSealed:
            codeVerifier && service.secretBox.seal(codeVerifier.reveal(), codeVerifierBinding(attempt.id)),
        },
      });
      await cancelOlderReconnects(transaction, attempt, now);
      return serving;
    },
  );
  if ("outcome" in registration) return registration;

  const location = await adapter.authorizationUrl(registrationAccess(service, registration, now), {
    redirectUri: redirectUri(service, found.provider),
    state: state.reveal(),
    capabilities: found.capabilities,
    codeChallenge: codeVerifier && createHash("sha256").update(codeVerifier.reveal()).digest("base64url"),
  });
  return { outcome: "redirect", location, attemptId: found.id, browserSecret, expiresAt: found.expiresAt };
}

function moved(attempt: ConnectAttempt, event: ConnectAttemptEvent) {
  const next = moveAttempt(attempt.status, event);
  if (next === null) throw new Error(`Cannot move an attempt from ${attempt.status} on ${event}.`);
  return next;
}

/** Binds a sealed PKCE verifier to its row and column. */
export function codeVerifierBinding(attemptId: string): string {
  return `connect_attempt/${attemptId}/code_verifier`;
}
