import { decideLaunchIdentity } from "@social-connect/domain";
import type { Configuration } from "openid-client";
import type { Application, IdentityAttempt } from "../../_generated/prisma/client.ts";
import { newSecretHex } from "../../platform/ids.ts";
import { sha256 } from "../../platform/secrets/hash.ts";
import { Secret } from "../../platform/secrets/secret.ts";
import { type Launched, type LaunchOutcome, type LaunchRequest, redeemLaunch } from "../browser/launch.ts";
import { discoverIssuer } from "../openid/openIdProvider.ts";
import { authorizationUrl, newExchangeSecrets } from "../openid/signInAtIssuer.ts";
import type { IssuerAccess, Service } from "../service.ts";
import { exchangeBinding } from "./identityAttempt.ts";

export function identityRedirectUri({ connectHost }: Pick<Service, "connectHost">): string {
  return `${connectHost}/api/identity/callback`;
}

/** Exchanges the one-use launch token for the issuer's sign-in page, with Connect's rules for origin and browser. */
export function launchIdentity(service: Service, request: LaunchRequest): Promise<LaunchOutcome> {
  const include = { application: true };
  return redeemLaunch(
    service,
    request,
    (launchTokenHash) => service.prisma.identityAttempt.findFirst({ where: { launchTokenHash }, include }),
    (found) => launch(service, found),
  );
}

async function launch(
  service: Service,
  found: IdentityAttempt & { readonly application: Application },
): Promise<Launched> {
  // Before the token is consumed, so that the user can retry after an outage of the issuer.
  const discovered = await discover(service);
  if (discovered === null) return { outcome: "unavailable" };
  const { outcome, patch } = decideLaunchIdentity(found, found.application, await service.clock.now());
  if (outcome !== "redirect") return { outcome };
  const state = new Secret(newSecretHex());
  const browserSecret = new Secret(newSecretHex());
  const secrets = newExchangeSecrets();
  const { count } = await service.prisma.identityAttempt.updateMany({
    where: { id: found.id, applicationId: found.applicationId, status: "PENDING", launchedAt: null },
    data: {
      ...patch,
      browserHash: sha256(browserSecret.reveal()),
      stateHash: sha256(state.reveal()),
      exchangeSealed: service.secretBox.seal(JSON.stringify(secrets), exchangeBinding(found.id)),
    },
  });
  if (count === 0) return { outcome: "token-spent" };
  const location = await authorizationUrl(discovered.issuer, discovered.configuration, {
    redirectUri: identityRedirectUri(service),
    scopes: ["email", "profile"],
    state: state.reveal(),
    secrets,
  });
  return { outcome: "redirect", location, browserSecret, expiresAt: found.expiresAt };
}

async function discover({
  issuer,
  logger,
}: Service): Promise<{ readonly issuer: IssuerAccess; readonly configuration: Configuration } | null> {
  try {
    return issuer && { issuer, configuration: await discoverIssuer(issuer) };
  } catch (error) {
    logger.warn({ error }, "OpenID discovery failed");
    return null;
  }
}
