import type { CallOptions, SecretText } from "@social-connect/sdk-core";
import { ConfigurationError, ProtocolError, requireObject, revealed, Secret } from "@social-connect/sdk-core";
import type { IdpIdentityRequest, IdpIdentitySession } from "./_generated/types.ts";
import type { IdpIdentityResult } from "./types/settled.ts";
import { call } from "./wire/call.ts";
import type { Settings } from "./wire/settings.ts";

/** Redeems the result of a sign-in. */
export interface IdpIdentityRedeem {
  /** The id of the session. */
  readonly id: string;
  /** The tenant of the session. */
  readonly tenantKey: string;
  /** The session's proof, or the string that its `reveal()` returned. */
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
  const created = await call(settings, "createIdpIdentitySession", { input: { tenantKey, returnUrl } }, options);
  const { launchToken, resultProof, ...session } = created;
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
  if (proof === undefined) throw new ConfigurationError("resultProof must be a string or a Secret.");
  const result = await call(settings, "redeemIdpIdentityResult", { id, tenantKey, resultProof: proof }, options);
  const { status, issuer, idpSub, ...person } = result;
  if (status !== "COMPLETED") return { ...person, status, issuer, idpSub };
  if (issuer !== null && idpSub !== null) return { ...person, status, issuer, idpSub };
  throw new ProtocolError({
    problem: "UNEXPECTED_SHAPE",
    message: "A completed sign-in has no issuer and id of the user.",
    operation: "redeemIdpIdentityResult",
  });
}
