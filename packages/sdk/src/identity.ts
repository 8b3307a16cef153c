import type { CallOptions, SecretText } from "@social-connect/sdk-core";
import { ConfigurationError, ProtocolError, requireObject, revealed, Secret } from "@social-connect/sdk-core";
import type { IdpIdentityResult } from "./types/identity.ts";
import { call } from "./wire/call.ts";
import type { Settings } from "./wire/settings.ts";

/** What a handoff is started with. */
export interface IdpIdentityRequest {
  /** A tenant registered for the application. */
  readonly tenantKey: string;
  /** Equal to one of the application's registered identity return URLs. */
  readonly returnUrl: string;
}

/** A started sign-in handoff. */
export interface IdpIdentitySession {
  /** Keep it with the browser's session. */
  readonly id: string;
  /** Where the browser posts the token to. */
  readonly launchUrl: string;
  /** One use, for the browser's form only: see `launchPage`. */
  readonly launchToken: Secret;
  /** Stays on the server; it is what redeems the result. */
  readonly resultProof: Secret;
  /** The person has until then: 10 minutes after creation. ISO 8601. */
  readonly expiresAt: string;
  /** The result can be redeemed until then: 20 minutes after creation. ISO 8601. */
  readonly resultExpiresAt: string;
}

/** What a result is redeemed with. */
export interface IdpIdentityRedeem {
  /** The id that the handoff gave. */
  readonly id: string;
  /** The tenant that it was started for. */
  readonly tenantKey: string;
  /** As the handoff gave it, or the text that `reveal()` gave. */
  readonly resultProof: SecretText;
}

/**
 * Starts a handoff. Retried only if the request certainly never reached the service: the limit is 20 pending handoffs.
 */
export async function createIdpIdentitySession(
  settings: Settings,
  request: IdpIdentityRequest,
  options?: CallOptions,
): Promise<IdpIdentitySession> {
  requireObject("request", request);
  const { tenantKey, returnUrl } = request;
  const data = await call(
    settings,
    {
      operation: "createIdpIdentitySession",
      send: (requests) => requests.CreateIdpIdentitySession({ input: { tenantKey, returnUrl } }),
    },
    options,
  );
  const { launchToken, resultProof, ...session } = data.createIdpIdentitySession;
  return { ...session, launchToken: new Secret(launchToken), resultProof: new Secret(resultProof) };
}

/**
 * Reads the result. PENDING leaves the proof valid; any other status consumes it. A redeem without a response is
 * therefore not retried: a second redeem would return NOT_FOUND.
 */
export async function redeemIdpIdentity(
  settings: Settings,
  request: IdpIdentityRedeem,
  options?: CallOptions,
): Promise<IdpIdentityResult> {
  requireObject("request", request);
  const { id, tenantKey, resultProof } = request;
  const proof = revealed(resultProof);
  if (proof === undefined) throw new ConfigurationError("resultProof must be a text or a Secret.");
  const data = await call(
    settings,
    {
      operation: "redeemIdpIdentityResult",
      send: (requests) => requests.RedeemIdpIdentityResult({ id, tenantKey, resultProof: proof }),
    },
    options,
  );
  const { status, issuer, idpSub, ...person } = data.redeemIdpIdentityResult;
  if (status !== "COMPLETED") return { ...person, status, issuer, idpSub };
  if (issuer !== null && idpSub !== null) return { ...person, status, issuer, idpSub };
  throw new ProtocolError({
    problem: "UNEXPECTED_SHAPE",
    message: "A completed sign-in came without the person's issuer and id.",
    operation: "redeemIdpIdentityResult",
  });
}
