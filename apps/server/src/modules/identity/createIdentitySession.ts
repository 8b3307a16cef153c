import { checkIdpIdentityInput, decideCreateIdentitySession, enforce } from "@social-connect/domain";
import { sha256 } from "../../platform/hash.ts";
import { newId, newSecretHex } from "../../platform/ids.ts";
import { lockUntilCommit } from "../../platform/locks.ts";
import { Secret } from "../../platform/secret.ts";
import type { Caller } from "../applications/authenticate.ts";
import { lockApplicationForShare } from "../applications/lockApplication.ts";
import { findRecentAttempts } from "../connect/recentAttempts.ts";
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
  const issuerConfigured = service.issuer !== null;
  // Before the transaction, so that an invalid call takes no lock.
  enforce(checkIdpIdentityInput(input, application, issuerConfigured));
  const now = await service.clock.now();
  const launchToken = new Secret(newSecretHex());
  const resultProof = new Secret(newSecretHex());
  const attempt = await service.prisma.$transaction(async (transaction) => {
    await lockUntilCommit(transaction, "identity", application.id);
    const pending = await transaction.identityAttempt.findMany({
      where: { applicationId: application.id, status: "PENDING", expiresAt: { gt: now } },
      select: { expiresAt: true },
    });
    const facts = {
      application: await lockApplicationForShare(transaction, application.id),
      issuerConfigured,
      unfinished: pending.map(({ expiresAt }) => expiresAt),
      recent: await findRecentAttempts(transaction, "identity_attempt", application.id, now),
    };
    const { patch } = enforce(decideCreateIdentitySession(facts, input, now));
    const hashes = { launchTokenHash: sha256(launchToken.reveal()), resultProofHash: sha256(resultProof.reveal()) };
    return transaction.identityAttempt.create({
      data: { ...patch, id: newId(), ...hashes },
      select: { id: true, expiresAt: true, resultExpiresAt: true },
    });
  });
  return { ...attempt, launchUrl: `${service.connectHost}/api/identity/redeem`, launchToken, resultProof };
}
