import { checkIdpIdentityInput, checkUnfinishedIdentityAttempts, identityDeadlines } from "@social-connect/domain";
import { sha256 } from "../../platform/hash.ts";
import { newId, newSecretHex } from "../../platform/ids.ts";
import { lockUntilCommit } from "../../platform/locks.ts";
import { enforce } from "../../platform/ruleViolation.ts";
import { Secret } from "../../platform/secret.ts";
import { assertEnabledForShare } from "../applications/assertEnabledForShare.ts";
import type { Caller } from "../applications/authenticate.ts";
import type { Service } from "../service.ts";

export interface CreatedIdentitySession {
  readonly id: string;
  readonly launchUrl: string;
  readonly launchToken: Secret;
  readonly resultProof: Secret;
  readonly expiresAt: Date;
  readonly resultExpiresAt: Date;
}

/**
 * Starts an identity attempt. Only this call returns the launch token and the result proof; the database stores their
 * hashes.
 */
export async function createIdentitySession(
  service: Service,
  { application }: Caller,
  input: { readonly tenantKey: string; readonly returnUrl: string },
): Promise<CreatedIdentitySession> {
  enforce(checkIdpIdentityInput(input, application, service.issuer !== null));
  const now = await service.clock.now();
  const launchToken = new Secret(newSecretHex());
  const resultProof = new Secret(newSecretHex());
  const attempt = await service.prisma.$transaction(async (transaction) => {
    await lockUntilCommit(transaction, "identity", application.id);
    const unfinished = await transaction.identityAttempt.findMany({
      where: { applicationId: application.id, status: "PENDING", expiresAt: { gt: now } },
      select: { expiresAt: true },
    });
    enforce(
      checkUnfinishedIdentityAttempts(
        unfinished.map(({ expiresAt }) => expiresAt),
        now,
      ),
    );
    await assertEnabledForShare(transaction, application.id);
    const current = await transaction.application.findUniqueOrThrow({ where: { id: application.id } });
    enforce(checkIdpIdentityInput(input, current, service.issuer !== null));
    return transaction.identityAttempt.create({
      data: {
        id: newId(),
        applicationId: application.id,
        tenantKey: input.tenantKey,
        returnUrl: input.returnUrl,
        status: "PENDING",
        launchTokenHash: sha256(launchToken.reveal()),
        resultProofHash: sha256(resultProof.reveal()),
        createdAt: now,
        ...identityDeadlines(now),
      },
      select: { id: true, expiresAt: true, resultExpiresAt: true },
    });
  });
  return { ...attempt, launchUrl: `${service.connectHost}/api/identity/redeem`, launchToken, resultProof };
}
