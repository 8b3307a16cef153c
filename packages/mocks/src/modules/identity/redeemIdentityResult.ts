import type { IdpIdentityStatus } from "@social-connect/contract";
import {
  asUuid,
  checkTenant,
  checkTenantKey,
  decideRedeemIdentity,
  enforce,
  NO_USER,
  type SignedInUser,
} from "@social-connect/domain";
import { sha256Hex } from "../../util/hash.ts";
import type { World } from "../../world/world.ts";
import type { Caller } from "../applications/authenticate.ts";

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
  const { status, patch } = enforce(decideRedeemIdentity(attempt && isCallers ? attempt : null, world.now()));
  const user = status === "COMPLETED" ? attempt?.user : null;
  if (attempt && patch !== null) Object.assign(attempt, patch, { user: null });
  return { status, ...(user ?? NO_USER) };
}
