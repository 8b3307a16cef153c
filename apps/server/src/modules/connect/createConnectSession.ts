import { type ConnectInput, checkConnectInput, decideCreateConnectSession, enforce } from "@social-connect/domain";
import { lockUntilCommit } from "../../platform/database/locks.ts";
import { sha256 } from "../../platform/secrets/hash.ts";
import { asUuid } from "../../platform/uuid.ts";
import type { Caller } from "../applications/checkKey.ts";
import { lockApplicationForShare } from "../applications/lockApplication.ts";
import { rowOfCall } from "../applications/rowOfCall.ts";
import { subjectLock } from "../connections/locks.ts";
import { findConnectionOfScope } from "../connections/scope.ts";
import { findPublishedRegistration } from "../registrations/readRegistrations.ts";
import { keyOf, type RowKey } from "../rowKey.ts";
import type { Service, Transaction } from "../service.ts";
import { explainRefusal } from "./explainReturnUrl.ts";
import { findRecentAttempts } from "./recentAttempts.ts";
import { findUnfinished, isRevokeSettling } from "./store.ts";

export type CreatedConnectSession = Awaited<ReturnType<typeof createConnectSession>>;

/**
 * Starts a connect attempt, or returns the attempt that the same call started before. Only this call returns the launch token;
 * the database stores its hash.
 */
export async function createConnectSession(service: Service, caller: Caller, input: ConnectInput) {
  const { application } = caller;
  // Before the transaction, so that an invalid call takes no lock.
  const refusal = checkConnectInput(input, application, service.previewOriginTemplate);
  const { returnUrl } = input;
  enforce(explainRefusal(service, refusal, { returnUrl, registered: application.returnUrls, option: "--return-url" }));
  const now = await service.clock.now();
  const { provider, scope } = input;
  const target = await findTarget(service.prisma, application.id, input);
  const { id, mayExist, secret } = rowOfCall(service, caller, "createConnectSession", input);
  const launchToken = secret("launch token");
  const attempt = await service.prisma.$transaction(async (transaction) => {
    await lockUntilCommit(transaction, ...subjectLock(application.id, provider, scope));
    const repeated = mayExist ? await findCreated(transaction, { id, applicationId: application.id }) : null;
    if (repeated !== null) return repeated;
    const currentTarget = target && (await findTarget(transaction, application.id, input));
    const registration = await findPublishedRegistration(transaction, application.id, provider);
    const unfinished = await findUnfinished(transaction, application.id, scope, provider, now);
    // The application may have changed, and its attempts ended, since the call was authenticated.
    const facts = {
      application: await lockApplicationForShare(transaction, application.id),
      previewTemplate: service.previewOriginTemplate,
      target,
      targetStatus: currentTarget?.status ?? null,
      isRevokeSettling: await isRevokeSettling(transaction, application.id, scope, provider),
      registration,
      unfinished: unfinished.map(({ expiresAt }) => expiresAt),
      newest: unfinished.at(-1)?.createdAt ?? null,
      recent: await findRecentAttempts(transaction, "connect_attempt", application.id, now),
    };
    const { patch } = enforce(decideCreateConnectSession(facts, input, now));
    return transaction.connectAttempt.create({
      data: { ...patch, id, launchTokenHash: sha256(launchToken.reveal()) },
      select: CREATED,
    });
  });
  return { ...attempt, launchUrl: `${service.connectHost}/api/connect/redeem`, launchToken };
}

const CREATED = { id: true, expiresAt: true, resultExpiresAt: true } as const;

function findCreated(transaction: Transaction, key: RowKey) {
  return transaction.connectAttempt.findUnique({ where: keyOf(key), select: CREATED });
}

async function findTarget(client: Service["prisma"] | Transaction, applicationId: string, input: ConnectInput) {
  const id = asUuid(input.reconnectConnectionId ?? "");
  if (id === null) return null;
  return findConnectionOfScope(client, applicationId, input.scope, id);
}
