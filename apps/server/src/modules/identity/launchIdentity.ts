import { hasPassed, isLaunchOriginAllowed, isLaunchToken } from "@social-connect/domain";
import * as openId from "openid-client";
import type { IdentityAttempt } from "../../_generated/prisma/client.ts";
import { sha256 } from "../../platform/hash.ts";
import { newSecretHex } from "../../platform/ids.ts";
import { Secret } from "../../platform/secret.ts";
import type { LaunchOutcome } from "../browser/launch.ts";
import { discoverIssuer } from "../openid/openIdProvider.ts";
import type { Service } from "../service.ts";
import type { ExchangeSecrets } from "./identityAttempt.ts";
import { exchangeBinding } from "./identityAttempt.ts";

export function identityRedirectUri({ connectHost }: Pick<Service, "connectHost">): string {
  return `${connectHost}/api/identity/callback`;
}

/** Exchanges the one-use launch token for the issuer's sign-in page, with Connect's rules for origin and browser. */
export async function launchIdentity(
  service: Service,
  { launchToken, origin }: { readonly launchToken: string; readonly origin: string | null },
): Promise<LaunchOutcome> {
  const found = isLaunchToken(launchToken)
    ? await service.prisma.identityAttempt.findUnique({
        where: { launchTokenHash: sha256(launchToken) },
        include: { application: true },
      })
    : null;
  // After this time the attempt counts as deleted, even before the sweep runs.
  if (found === null || hasPassed(found.resultExpiresAt, await service.clock.now()))
    return { outcome: "token-spent", attemptId: null };
  if (!isLaunchOriginAllowed(origin, found.application, service.previewOriginTemplate)) {
    return { outcome: "origin-refused", originMissing: origin === null || origin === "null", attemptId: found.id };
  }
  const { issuer } = service;
  if (issuer === null || !found.application.enabled || !found.application.idpIdentityEnabled)
    return { outcome: "unavailable" };
  // Before the token is consumed, so that the user can retry after an outage of the issuer.
  const configuration = await discoverIssuer(issuer).catch((error: unknown) => {
    service.logger.warn({ error }, "OpenID discovery failed");
    return null;
  });
  if (configuration === null) return { outcome: "unavailable" };
  return launch(service, found, configuration);
}

async function launch(
  service: Service,
  found: IdentityAttempt,
  configuration: openId.Configuration,
): Promise<LaunchOutcome> {
  const now = await service.clock.now();
  const state = new Secret(newSecretHex());
  const browserSecret = new Secret(newSecretHex());
  const secrets: ExchangeSecrets = { nonce: newSecretHex(), codeVerifier: openId.randomPKCECodeVerifier() };
  if (hasPassed(found.expiresAt, now)) return { outcome: "expired" };
  const { count } = await service.prisma.identityAttempt.updateMany({
    where: { id: found.id, status: "PENDING", launchedAt: null },
    data: {
      launchedAt: now,
      browserHash: sha256(browserSecret.reveal()),
      stateHash: sha256(state.reveal()),
      exchangeSealed: service.secretBox.seal(JSON.stringify(secrets), exchangeBinding(found.id)),
    },
  });
  if (count === 0) return { outcome: "token-spent", attemptId: found.id };
  const location = openId.buildAuthorizationUrl(configuration, {
    redirect_uri: identityRedirectUri(service),
    scope: "openid email profile",
    state: state.reveal(),
    nonce: secrets.nonce,
    code_challenge: await openId.calculatePKCECodeChallenge(secrets.codeVerifier),
    code_challenge_method: "S256",
  });
  return { outcome: "redirect", location, attemptId: found.id, browserSecret, expiresAt: found.expiresAt };
}
