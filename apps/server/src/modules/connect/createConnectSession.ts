import type { ConnectInput } from "@social-connect/domain";
import { checkConnectInput, decideCreateConnectSession, enforce } from "@social-connect/domain";
import { sha256 } from "../../platform/hash.ts";
import { newId, newSecretHex } from "../../platform/ids.ts";
import { lockUntilCommit } from "../../platform/locks.ts";
import { Secret } from "../../platform/secret.ts";
import { asUuid } from "../../platform/uuid.ts";
import type { Caller } from "../applications/authenticate.ts";
import { lockApplicationForShare } from "../applications/lockApplication.ts";
import { subjectLock } from "../connections/locks.ts";
import { findConnectionOfScope } from "../connections/scope.ts";
import { findPublishedRegistration } from "../registrations/readRegistrations.ts";
import type { Service, Transaction } from "../service.ts";
import { findRecentAttempts } from "./recentAttempts.ts";
import { findUnfinishedDeadlines, isRevokeSettling } from "./store.ts";

export interface CreatedConnectSession {
  readonly id: string;
  readonly launchUrl: string;
  readonly launchToken: Secret;
  readonly expiresAt: Date;
  readonly resultExpiresAt: Date;
}

/** Starts a connect attempt. Only this call returns the launch token; the database stores its hash. */
export async function createConnectSession(
  service: Service,
  { application }: Caller,
  input: ConnectInput,
): Promise<CreatedConnectSession> {
  // Before the transaction, so that an invalid call takes no lock.
  enforce(checkConnectInput(input, application, service.previewOriginTemplate));
  const now = await service.clock.now();
  const { provider, scope } = input;
  const target = await findTarget(service.prisma, application.id, input);
  const launchToken = new Secret(newSecretHex());
  const attempt = await service.prisma.$transaction(async (transaction) => {
    await lockUntilCommit(transaction, ...subjectLock(application.id, provider, scope));
    const currentTarget = target && (await findTarget(transaction, application.id, input));
    const registration = await findPublishedRegistration(transaction, application.id, provider);
    const unfinished = await findUnfinishedDeadlines(transaction, application.id, scope, provider, now);
    // The application may have changed, and its attempts ended, since the call was authenticated.
    const facts = {
      application: await lockApplicationForShare(transaction, application.id),
      previewTemplate: service.previewOriginTemplate,
      target,
      targetStatus: currentTarget?.status ?? null,
      isRevokeSettling: await isRevokeSettling(transaction, application.id, scope, provider),
      registration,
      unfinished,
      recent: await findRecentAttempts(transaction, "connect_attempt", application.id, now),
    };
    const { patch } = enforce(decideCreateConnectSession(facts, input, now));
    return transaction.connectAttempt.create({
      data: { ...patch, id: newId(), launchTokenHash: sha256(launchToken.reveal()) },
      select: { id: true, expiresAt: true, resultExpiresAt: true },
    });
  });
  return { ...attempt, launchUrl: `${service.connectHost}/api/connect/redeem`, launchToken };
}

async function findTarget(client: Service["prisma"] | Transaction, applicationId: string, input: ConnectInput) {
  const id = asUuid(input.reconnectConnectionId ?? "");
  if (id === null) return null;
  return findConnectionOfScope(client, applicationId, input.scope, id);
}
