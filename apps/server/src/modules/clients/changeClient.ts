import {
  type AdminRefusal,
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
  isRefusal,
  lossesOf,
  type OpenAttempts,
  type Touched,
  UNFINISHED_STATUSES,
} from "@social-connect/domain";
import type { Application, Prisma } from "../../_generated/prisma/client.ts";
import { newId } from "../../platform/ids.ts";
import type { AdminActor } from "../admin/actor.ts";
import { adminTransaction } from "../admin/adminTransaction.ts";
import { lockClient, readClient } from "../applications/client.ts";
import { countConnections } from "../audit/countConnections.ts";
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
  return adminTransaction(service, async (transaction, now) => {
    const client = await lockClient(transaction, id);
    const change = accepted(await decide(service, transaction, client, name, input, now));
    const where = { id: id.toLowerCase() };
    if (change === null) return transaction.application.findUniqueOrThrow({ ...query, where });
    const touched = await measureLosses(transaction, client, change, now);
    let ended = 0;
    for (const followUp of change.followUps) ended += await endAttempts(service, transaction, where.id, followUp, now);
    await recordAudit(transaction, actor, now, auditWithEnded(change.audit, ended, touched));
    return transaction.application.update({ ...query, where, data: change.patch });
  });
}

/** What a change would touch, by the decision that makes it. One that would be refused touches nothing. */
export async function planClientChange<Name extends ClientChangeName>(
  service: Service,
  id: string,
  name: Name,
  input: ClientChangeInput<Name>,
): Promise<Touched> {
  const { prisma, clock } = service;
  const [client, now] = [await readClient(service, id), await clock.now()];
  const change = await decide(service, prisma, client, name, input, now);
  if (change === null || isRefusal(change)) return {};
  const touched = await measureLosses(prisma, client, change, now);
  if (touched === null) return {};
  let unfinishedAttempts = 0;
  for (const followUp of change.followUps) {
    const where = endedBy(client.id, followUp, now);
    unfinishedAttempts +=
      followUp.type === "END_IDENTITY_ATTEMPTS"
        ? await prisma.identityAttempt.count({ where: { ...where, ...PENDING } })
        : await prisma.connectAttempt.count({ where });
  }
  return { ...touched, unfinishedAttempts };
}

type Change = NonNullable<Exclude<ReturnType<typeof decideClientChange>, AdminRefusal>>;

async function decide<Name extends ClientChangeName>(
  { mode, previewOriginTemplate: previewTemplate }: Service,
  database: Database,
  client: Application | null,
  name: Name,
  input: ClientChangeInput<Name>,
  now: Date,
): Promise<AdminRefusal | Change | null> {
  const openAttempts = await readOpenAttempts(database, client, now);
  return decideClientChange(name, { client, openAttempts, mode, previewTemplate }, input, now);
}

/** What a change takes away besides the attempts that it ends; null: nothing. */
async function measureLosses(
  database: Database,
  client: Application | null,
  { patch }: Change,
  now: Date,
): Promise<Touched | null> {
  const losses = client && lossesOf(client, patch);
  if (client === null || losses === null) return null;
  const { isDisabled, providers, capabilities, tenantKeys } = losses;
  const isReading = isDisabled || [...providers, ...capabilities, ...tenantKeys].length > 0;
  const unreadable = {
    OR: [
      { provider: { in: providers } },
      { capabilities: { hasSome: capabilities } },
      { tenantKey: { in: tenantKeys } },
    ],
  } satisfies Prisma.ConnectionWhereInput;
  const where = { applicationId: client.id, ...(isDisabled ? {} : unreadable) };
  const activeKeys = {
    applicationId: client.id,
    revokedAt: null,
    OR: [{ expiresAt: null }, { expiresAt: { gt: now } }],
  };
  return {
    ...(isReading && (await countConnections(database, where))),
    ...(isDisabled && { keys: await database.applicationKey.count({ where: activeKeys }) }),
  };
}

type Database = Service["prisma"] | Transaction;

const PENDING = { status: "PENDING" } as const;

/** The attempts that a change ends. */
function endedBy(applicationId: string, { attempts }: EndAttempts, now: Date) {
  return { applicationId, expiresAt: { gt: now }, ...attempts };
}

/** The kinds of a client's unfinished attempts before their deadline. */
async function readOpenAttempts(
  transaction: Database,
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
  followUp: EndAttempts,
  now: Date,
): Promise<number> {
  const open = endedBy(applicationId, followUp, now);
  if (followUp.type === "END_IDENTITY_ATTEMPTS") {
    const { patch } = followUp;
    const where = { ...open, ...PENDING };
    const data = { ...patch, exchangeSealed: null };
    const ended = await transaction.identityAttempt.updateManyAndReturn({ where, data });
    await recordEvents(service, transaction, now, ended.map(identityEvent));
    return ended.length;
  }
  const { patch } = followUp;
  // A failed attempt keeps its verifier, to revoke the grant of a code that arrives late.
  const verifier = patch.status === "CANCELED" ? { codeVerifierSealed: null } : {};
  const data = { ...patch, ...verifier };
  const ended = await transaction.connectAttempt.updateManyAndReturn({ where: open, data });
  await recordEvents(service, transaction, now, ended.map(attemptEvent));
  return ended.length;
}
