import type { ConnectInput } from "@social-connect/domain";
import {
  attemptDeadlines,
  checkConnectInput,
  checkDisconnectSettled,
  checkReconnectTarget,
  checkReconnectTargetUnchanged,
  checkUnfinishedAttempts,
} from "@social-connect/domain";
import { AppError } from "../../platform/appError.ts";
import { sha256 } from "../../platform/hash.ts";
import { newId, newSecretHex } from "../../platform/ids.ts";
import { lockUntilCommit } from "../../platform/locks.ts";
import { enforce } from "../../platform/ruleViolation.ts";
import { Secret } from "../../platform/secret.ts";
import { asUuid } from "../../platform/uuid.ts";
import { assertEnabledForShare } from "../applications/assertEnabledForShare.ts";
import type { Caller } from "../applications/authenticate.ts";
import { subjectLock } from "../connections/locks.ts";
import { findConnectionOfScope } from "../connections/scope.ts";
import { findPublishedRegistration } from "../registrations/readRegistrations.ts";
import type { Service, Transaction } from "../service.ts";
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
  enforce(checkConnectInput(input, application, service.previewOriginTemplate));
  const now = await service.clock.now();
  const target = await findTarget(service.prisma, application.id, input);
  if (wantsReconnect(input)) enforce(checkReconnectTarget(target, input.provider));

  const launchToken = new Secret(newSecretHex());
  const attempt = await service.prisma.$transaction(async (transaction) => {
    await lockUntilCommit(transaction, ...subjectLock(application.id, input.provider, input.scope));
    if (target !== null) {
      const current = await findTarget(transaction, application.id, input);
      enforce(checkReconnectTargetUnchanged(target.status, current?.status ?? null));
    }
    enforce(checkDisconnectSettled(await isRevokeSettling(transaction, application.id, input.scope, input.provider)));
    const registration = await findPublishedRegistration(transaction, application.id, input.provider);
    if (!registration || !input.capabilities.every((capability) => registration.capabilities.includes(capability))) {
      throw new AppError({
        code: "FORBIDDEN",
        message: "The provider is not available to the application with these capabilities.",
      });
    }
    const deadlines = await findUnfinishedDeadlines(transaction, application.id, input.scope, input.provider, now);
    enforce(checkUnfinishedAttempts(deadlines, now));
    await assertEnabledForShare(transaction, application.id);
    // The return URL may have been removed, and its attempts ended, since the call was authenticated.
    const current = await transaction.application.findUniqueOrThrow({ where: { id: application.id } });
    enforce(checkConnectInput(input, current, service.previewOriginTemplate));
    return transaction.connectAttempt.create({
      data: {
        id: newId(),
        applicationId: application.id,
        tenantKey: input.scope.tenantKey,
        externalSubjectId: input.scope.externalSubjectId,
        provider: input.provider,
        registrationId: registration.id,
        capabilities: [...input.capabilities],
        returnUrl: input.returnUrl,
        reconnectConnectionId: target?.id ?? null,
        status: "CREATED",
        launchTokenHash: sha256(launchToken.reveal()),
        createdAt: now,
        ...attemptDeadlines(now),
      },
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

function wantsReconnect(input: ConnectInput): boolean {
  return input.reconnectConnectionId !== undefined && input.reconnectConnectionId !== null;
}
