import {
  type CallOptions,
  ConfigurationError,
  refuseUnknownNames,
  revealed,
  Secret,
  type SecretText,
  shapeError,
  type WithResponse,
} from "@social-connect/sdk-core";
import type { IdpIdentityRequest, IdpIdentitySession } from "./_generated/types.ts";
import type { IdpIdentityResult } from "./types/settled.ts";
import { exchange } from "./wire/call.ts";
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
): Promise<WithResponse<IdpIdentitySession>> {
  refuseUnknownNames("request", request, ["tenantKey", "returnUrl"], "createIdpIdentitySession");
  const { tenantKey, returnUrl } = request;
  const input = { tenantKey, returnUrl };
  const { data, response } = await exchange(settings, "createIdpIdentitySession", { input }, options);
  const { launchToken, resultProof, ...session } = data;
  const secrets = { launchToken: new Secret(launchToken), resultProof: new Secret(resultProof) };
  return { data: { ...session, ...secrets }, response };
}

/**
 * Reads the result. PENDING leaves the proof valid; any other status consumes it. A redeem without a response is
 * therefore not retried: a second redeem would return NOT_FOUND.
 */
export async function redeemIdpIdentity(
  settings: Settings,
  request: IdpIdentityRedeem,
  options?: CallOptions,
): Promise<WithResponse<IdpIdentityResult>> {
  refuseUnknownNames("request", request, ["id", "tenantKey", "resultProof"], "redeemIdpIdentityResult");
  const { id, tenantKey, resultProof } = request;
  const proof = revealed(resultProof);
  if (proof === undefined) throw new ConfigurationError("resultProof must be a string or a Secret.");
  const variables = { id, tenantKey, resultProof: proof };
  const { data, response } = await exchange(settings, "redeemIdpIdentityResult", variables, options);
  const { status, issuer, idpSub, ...person } = data;
  if (status !== "COMPLETED") return { data: { ...person, status, issuer, idpSub }, response };
  if (issuer !== null && idpSub !== null) return { data: { ...person, status, issuer, idpSub }, response };
  throw shapeError("redeemIdpIdentityResult", "A completed sign-in has no issuer and id of the user.");
}
