import type { IdpIdentityStatus } from "@social-connect/contract";
import { checkTenant, checkTenantKey, redeemIdentityAttempt } from "@social-connect/domain";
import { AppError } from "../../platform/appError.ts";
import { equalHashes, sha256 } from "../../platform/hash.ts";
import { enforce } from "../../platform/ruleViolation.ts";
import { asUuid } from "../../platform/uuid.ts";
import type { Caller } from "../applications/authenticate.ts";
import type { Service } from "../service.ts";
import type { SignedInPerson } from "./identityAttempt.ts";
import { identityResultBinding } from "./identityAttempt.ts";

export interface IdentityResult extends SignedInPerson {
  readonly status: IdpIdentityStatus;
}

const NO_USER: SignedInPerson = {
  issuer: null,
  idpSub: null,
  email: null,
  emailVerified: null,
  name: null,
  pictureUrl: null,
};

/**
 * Returns the result of a sign-in once. A wrong proof or tenant is NOT_FOUND and consumes nothing; PENDING does not
 * consume the proof; any other status consumes it and deletes the result, so that one of several parallel calls gets
 * it. Source: service description, parts 3 and 4.
 */
export async function redeemIdentityResult(
  service: Service,
  { application }: Caller,
  input: { readonly id: string; readonly tenantKey: string; readonly resultProof: string },
): Promise<IdentityResult> {
  enforce(checkTenantKey(input.tenantKey));
  enforce(checkTenant(application, input.tenantKey, "NOT_FOUND"));
  const id = asUuid(input.id);
  const proofHash = sha256(input.resultProof);
  const now = await service.clock.now();
  return service.prisma.$transaction(async (transaction) => {
    if (id !== null) await transaction.$queryRaw`SELECT 1 FROM identity_attempt WHERE id = ${id}::uuid FOR UPDATE`;
    const attempt =
      id === null
        ? null
        : await transaction.identityAttempt.findFirst({
            where: { id, applicationId: application.id, tenantKey: input.tenantKey },
          });
    const proofIsRight = equalHashes(proofHash, attempt?.resultProofHash ?? sha256("no proof has this hash"));
    const redeemed =
      attempt !== null && proofIsRight
        ? redeemIdentityAttempt({ ...attempt, proofConsumed: attempt.redeemedAt !== null }, now)
        : null;
    if (attempt === null || redeemed === null) throw notFound();
    if (redeemed.consumesProof) {
      await transaction.identityAttempt.update({
        where: { id: attempt.id },
        data: { status: redeemed.status, redeemedAt: now, resultSealed: null },
      });
    }
    const person = redeemed.status === "COMPLETED" && attempt.resultSealed !== null ? attempt.resultSealed : null;
    if (person === null) return { status: redeemed.status, ...NO_USER };
    const opened: SignedInPerson = JSON.parse(service.secretBox.open(person, identityResultBinding(attempt.id)));
    return { status: redeemed.status, ...opened };
  });
}

function notFound(): AppError {
  return new AppError({ code: "NOT_FOUND", message: "No such identity session." });
}
