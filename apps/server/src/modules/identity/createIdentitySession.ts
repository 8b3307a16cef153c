import { checkIdpIdentityInput, decideCreateIdentitySession, enforce } from "@social-connect/domain";
import { lockUntilCommit } from "../../platform/database/locks.ts";
import { sha256 } from "../../platform/secrets/hash.ts";
import type { Caller } from "../applications/checkKey.ts";
import { lockApplicationForShare } from "../applications/lockApplication.ts";
import { rowOfCall } from "../applications/rowOfCall.ts";
import { explainRefusal } from "../connect/explainReturnUrl.ts";
import { findRecentAttempts } from "../connect/recentAttempts.ts";
import { keyOf } from "../rowKey.ts";
import type { Service } from "../service.ts";

export type CreatedIdentitySession = Awaited<ReturnType<typeof createIdentitySession>>;

const CREATED = { id: true, expiresAt: true, resultExpiresAt: true } as const;

/**
 * Starts an identity attempt, or returns the attempt that the same call started before. Only this call returns the launch token and the result proof; the database stores their
 * hashes.
 */
export async function createIdentitySession(
  service: Service,
  caller: Caller,
  input: { readonly tenantKey: string; readonly returnUrl: string },
) {
  const { application } = caller;
  const issuerConfigured = service.issuer !== null;
  // Before the transaction, so that an invalid call takes no lock.
  const refusal = checkIdpIdentityInput(input, application, issuerConfigured);
  const registered = application.identityReturnUrls;
  enforce(
    explainRefusal(service, refusal, { returnUrl: input.returnUrl, registered, option: "--identity-return-url" }),
  );
  const now = await service.clock.now();
  const { id, mayExist, secret } = rowOfCall(service, caller, "createIdpIdentitySession", input);
  const [launchToken, resultProof] = [secret("launch token"), secret("result proof")];
  const attempt = await service.prisma.$transaction(async (transaction) => {
    await lockUntilCommit(transaction, "identity", application.id);
    const where = keyOf({ id, applicationId: application.id });
    const repeated = mayExist ? await transaction.identityAttempt.findUnique({ where, select: CREATED }) : null;
    if (repeated !== null) return repeated;
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
      data: { ...patch, id, ...hashes },
      select: CREATED,
    });
  });
  return { ...attempt, launchUrl: `${service.connectHost}/api/identity/redeem`, launchToken, resultProof };
}
