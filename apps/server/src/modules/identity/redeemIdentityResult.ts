import type { IdpIdentityStatus } from "@social-connect/contract";
import { decideRedeemIdentity, enforce, NO_USER, type SignedInUser } from "@social-connect/domain";
import { equalHashes, sha256 } from "../../platform/secrets/hash.ts";
import { asUuid } from "../../platform/uuid.ts";
import type { Caller } from "../applications/checkKey.ts";
import { enforceTenant } from "../applications/explainTenant.ts";
import { keyOf } from "../rowKey.ts";
import type { Service } from "../service.ts";
import { identityResultBinding } from "./identityAttempt.ts";

export interface IdentityResult extends SignedInUser {
  readonly status: IdpIdentityStatus;
}

/**
 * Returns the result of a sign-in once. A wrong proof or tenant is NOT_FOUND and consumes nothing; PENDING does not
 * consume the proof; any other status consumes it, so that one of several parallel calls gets the result. Without an
 * idempotency key it is deleted with that; with one, a repetition of the call can read it for a minute. Source: service
 * description, parts 3 and 4.
 */
export async function redeemIdentityResult(
  service: Service,
  { application, idempotencyKey }: Caller,
  input: { readonly id: string; readonly tenantKey: string; readonly resultProof: string },
): Promise<IdentityResult> {
  enforceTenant(service, application, input.tenantKey, "NOT_FOUND");
  const id = asUuid(input.id);
  const redeemKeyHash = idempotencyKey === undefined ? null : sha256(JSON.stringify([idempotencyKey, input]));
  const proofHash = sha256(input.resultProof);
  const now = await service.clock.now();
  return service.prisma.$transaction(async (transaction) => {
    if (id !== null) {
      await transaction.$queryRaw`
        SELECT 1 FROM identity_attempt WHERE id = ${id}::uuid AND application_id = ${application.id}::uuid FOR UPDATE`;
    }
    const attempt =
      id === null
        ? null
        : await transaction.identityAttempt.findFirst({
            where: { id, applicationId: application.id, tenantKey: input.tenantKey },
          });
    const hasProof = equalHashes(proofHash, attempt?.resultProofHash ?? sha256("no proof has this hash"));
    const usedHash = attempt?.redeemKeyHash ?? null;
    const isSameCall = redeemKeyHash !== null && usedHash !== null && equalHashes(redeemKeyHash, usedHash);
    const { status, patch } = enforce(decideRedeemIdentity(hasProof ? attempt : null, now, { isSameCall }));
    if (attempt !== null && patch !== null) {
      const kept = redeemKeyHash === null ? { resultSealed: null } : { redeemKeyHash };
      await transaction.identityAttempt.update({ where: keyOf(attempt), data: { ...patch, ...kept } });
    }
    const sealed = status === "COMPLETED" ? attempt?.resultSealed : null;
    if (!attempt || !sealed) return { status, ...NO_USER };
    const user: SignedInUser = JSON.parse(service.secretBox.open(sealed, identityResultBinding(attempt.id)));
    return { status, ...user };
  });
}
