import {
  accepted,
  attemptEvent,
  auditWithEnded,
  type ClientChangeInput,
  type ClientChangeName,
  type CreateClientInput,
  decideClientChange,
  decideCreateClient,
  type EndAttempts,
  identityEvent,
  type OpenAttempts,
  UNFINISHED_STATUSES,
} from "@social-connect/domain";
import type { Application, Prisma } from "../../_generated/prisma/client.ts";
import { newId } from "../../platform/ids.ts";
import type { AdminActor } from "../admin/actor.ts";
import { adminTransaction } from "../admin/adminTransaction.ts";
import { lockClient } from "../applications/client.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import { recordEvents } from "../events/recordEvents.ts";
import type { Service, Transaction } from "../service.ts";

/** What to read of a changed client; all columns by default. */
type Shown = Omit<Prisma.ApplicationFindUniqueOrThrowArgs, "where">;

/** Registers a client. */
export async function createClient(
  service: Service,
  actor: AdminActor,
  input: CreateClientInput,
  query: Shown = {},
): Promise<Application> {
  const id = newId();
  return adminTransaction(service, async (transaction, now) => {
    const decide = (slugIsTaken: boolean) =>
      accepted(decideCreateClient({ slugIsTaken, mode: service.mode }, input, id, now));
    const { patch, audit } = decide(false);
    // A failed insert would end the transaction; this one reports a taken slug, also under parallel calls.
    const { count } = await transaction.application.createMany({ data: [patch], skipDuplicates: true });
    if (count === 0) decide(true);
    await recordAudit(transaction, actor, now, audit);
    return transaction.application.findUniqueOrThrow({ ...query, where: { id } });
  });
}

/** Applies a change of the domain to a client, with its audit entry. Returns the changed client. */
export async function changeClient<Name extends ClientChangeName>(
  service: Service,
  actor: AdminActor,
  id: string,
  name: Name,
  input: ClientChangeInput<Name>,
  query: Shown = {},
): Promise<Application> {
  const { mode, previewOriginTemplate: previewTemplate } = service;
  return adminTransaction(service, async (transaction, now) => {
    const client = await lockClient(transaction, id);
    const openAttempts = await readOpenAttempts(transaction, client, now);
    const facts = { client, openAttempts, mode, previewTemplate };
    const change = accepted(decideClientChange(name, facts, input, now));
    const where = { id: id.toLowerCase() };
    if (change === null) return transaction.application.findUniqueOrThrow({ ...query, where });
    let ended = 0;
    for (const followUp of change.followUps) ended += await endAttempts(service, transaction, where.id, followUp, now);
    await recordAudit(transaction, actor, now, auditWithEnded(change.audit, ended));
    return transaction.application.update({ ...query, where, data: change.patch });
  });
}

/** The kinds of a client's unfinished attempts before their deadline. */
async function readOpenAttempts(
  transaction: Transaction,
  client: { readonly id: string } | null,
  now: Date,
): Promise<OpenAttempts> {
  if (client === null) return { connect: [], identity: [] };
  const open = { applicationId: client.id, expiresAt: { gt: now } };
  const connect = await transaction.connectAttempt.groupBy({
    by: ["status", "provider", "returnUrl"],
    where: { ...open, status: { in: [...UNFINISHED_STATUSES] } },
  });
  const identity = await transaction.identityAttempt.groupBy({
    by: ["returnUrl"],
    where: { ...open, status: "PENDING" },
  });
  return { connect, identity };
}

/** Ends the attempts and returns their number. The caller holds the lock of the application's row. */
async function endAttempts(
  service: Service,
  transaction: Transaction,
  applicationId: string,
  { type, attempts, patch }: EndAttempts,
  now: Date,
): Promise<number> {
  const open = { applicationId, expiresAt: { gt: now }, ...attempts };
  if (type === "END_IDENTITY_ATTEMPTS") {
    const where = { ...open, status: "PENDING" } as const;
    const data = { ...patch, exchangeSealed: null };
    const ended = await transaction.identityAttempt.updateManyAndReturn({ where, data });
    await recordEvents(service, transaction, now, ended.map(identityEvent));
    return ended.length;
  }
  // A failed attempt keeps its verifier, to revoke the grant of a code that arrives late.
  const verifier = patch.status === "CANCELED" ? { codeVerifierSealed: null } : {};
  const data = { ...patch, ...verifier };
  const ended = await transaction.connectAttempt.updateManyAndReturn({ where: open, data });
  await recordEvents(service, transaction, now, ended.map(attemptEvent));
  return ended.length;
}
