import type { IdpIdentityStatus } from "@social-connect/contract";
import { asUuid, checkTenant, checkTenantKey, redeemIdentityAttempt } from "@social-connect/domain";
import type { SignedInUser } from "../../state/state.ts";
import { sha256Hex } from "../../util/hash.ts";
import type { World } from "../../world/world.ts";
import type { Caller } from "../applications/authenticate.ts";
import { enforce, notFound } from "../errors.ts";

const NO_USER: SignedInUser = {
  issuer: null,
  idpSub: null,
  email: null,
  emailVerified: null,
  name: null,
  pictureUrl: null,
};

/**
 * Returns the result of a sign-in once. A wrong proof or tenant is NOT_FOUND and does not consume the proof; neither does
 * PENDING. Source: service description, parts 3 and 4.
 */
export function redeemIdentityResult(
  world: World,
  { application }: Caller,
  input: { readonly id: string; readonly tenantKey: string; readonly resultProof: string },
): SignedInUser & { readonly status: IdpIdentityStatus } {
  enforce(checkTenantKey(input.tenantKey));
  enforce(checkTenant(application, input.tenantKey, "NOT_FOUND"));
  const attempt = world.state.identityAttempts.get(asUuid(input.id) ?? "");
  const isCallers =
    attempt?.applicationId === application.id &&
    attempt.tenantKey === input.tenantKey &&
    attempt.resultProofHash === sha256Hex(input.resultProof);
  const now = world.now();
  const redeemed =
    attempt !== undefined && isCallers
      ? redeemIdentityAttempt({ ...attempt, proofConsumed: attempt.redeemedAt !== null }, now)
      : null;
  if (attempt === undefined || redeemed === null) throw notFound("No such identity session.");
  const { status, consumesProof } = redeemed;
  const person = status === "COMPLETED" ? attempt.person : null;
  if (consumesProof) Object.assign(attempt, { status, redeemedAt: now, person: null });
  return { status, ...(person ?? NO_USER) };
}
