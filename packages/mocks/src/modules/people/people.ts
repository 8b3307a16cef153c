import {
  type AuditRecord,
  accountHint,
  addMs,
  connectionsSearched,
  isPastRetention,
  isReceipt,
  MOST_PEOPLE,
  PERSON_RECORDS,
  type PersonTableName,
  personViewed,
  RETENTION,
  SUPPORT_VIEW_MS,
} from "@social-connect/domain";
import type { Connection, Job } from "../../state/state.ts";
import { deleteWhere } from "../../util/deleteWhere.ts";
import { sha256Hex } from "../../util/hash.ts";
import type { World } from "../../world/world.ts";
import { type AdminActor, actorName, type SessionActor } from "../admin/actor.ts";
import { recordAudit } from "../audit/audit.ts";
import { endConnection } from "../disconnect/disconnectConnection.ts";
import { scopeHash } from "../jobs/createJob.ts";
import { clientOf, newestFirst, type SupportScope, subjectOf } from "../support/searchConnections.ts";

type Subject = ReturnType<typeof subjectOf>;

const PROFILE = ["displayName", "handle", "avatarUrl", "profileUrl", "description"] as const;

/** What is stored about a client's user. An entry in the audit log covers 15 minutes. */
export function viewPerson(world: World, actor: AdminActor, scope: SupportScope) {
  const subject = subjectOf(world, scope);
  recordOnce(world, actor, personViewed(subject.client, labelOf(subject)));
  return personOf(world, subject);
}

/** The ids of a client's users that begin with a text. */
export function suggestUsers(
  world: World,
  actor: AdminActor,
  { startsWith, ...client }: Omit<SupportScope, "externalSubjectId"> & { readonly startsWith: string },
): string[] {
  const subject = subjectOf(world, { ...client, externalSubjectId: startsWith });
  const isOf = ({ applicationId, tenantKey, externalSubjectId }: Owned) =>
    applicationId === subject.client.id && tenantKey === subject.tenantKey && externalSubjectId.startsWith(startsWith);
  const ids = ownedRows(world)
    .filter(isOf)
    .map(({ externalSubjectId }) => externalSubjectId);
  if (ids.length > 0) recordOnce(world, actor, connectionsSearched(subject.client, "suggestions"));
  return [...new Set(ids)].toSorted().slice(0, MOST_PEOPLE);
}

/** The clients and tenants that have a user with this id. */
export function findPeople(world: World, actor: AdminActor, externalSubjectId: string) {
  const rows = ownedRows(world).filter((row) => row.externalSubjectId === externalSubjectId);
  const pairs = rows.map(({ applicationId, tenantKey }) => ({ ...clientOf(world, applicationId), tenantKey }));
  const found = new Map(pairs.map((pair) => [JSON.stringify([pair.clientSlug, pair.tenantKey]), pair]));
  const people = [...found].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, pair]) => pair);
  const shown = people.slice(0, MOST_PEOPLE);
  const clients = new Map(shown.map(({ clientId, clientSlug }) => [clientId, clientSlug]));
  for (const [id, slug] of clients) recordOnce(world, actor, connectionsSearched({ id, slug }, "people"));
  return shown;
}

type Owned = Pick<Connection, "applicationId" | "tenantKey" | "externalSubjectId">;

function ownedRows({ state }: World): Owned[] {
  return [...state.connections.values(), ...state.connectAttempts.values()];
}

/** Unless the log has the same entry of this admin since 15 minutes ago. */
function recordOnce(world: World, actor: AdminActor, record: AuditRecord): void {
  const since = addMs(world.now(), -SUPPORT_VIEW_MS);
  const isRecorded = world.state.auditEntries.some(
    ({ summary, targetId, actor: by, at }) =>
      summary === record.summary && targetId === record.target.id && by === actorName(actor) && at > since,
  );
  if (!isRecorded) recordAudit(world, actor, record);
}

/** Disconnects every account and deletes the attempts; the jobs erase the rest. */
export function erasePerson(
  world: World,
  actor: SessionActor,
  { reason, ...scope }: SupportScope & { readonly reason: string },
) {
  const subject = subjectOf(world, scope);
  const connections = [...world.state.connections.values()].filter(subject.isOf);
  const summary = `Requested the erasure of ${connections.length} connections of ${labelOf(subject)}. Reason: ${reason}`;
  const { id, slug } = subject.client;
  const target = { type: "CLIENT", id } as const;
  recordAudit(world, actor, { action: "Erasure requested", target, clientSlug: slug, summary });
  const tester = deleteTesters(world, subject, connections);
  for (const connection of connections) endConnection(world, connection);
  const isDeleted = ({ id: attemptId, status }: { readonly id: string; readonly status: string }) =>
    status !== "EXCHANGING" && ![...world.state.grants.values()].some((grant) => grant.attemptId === attemptId);
  const attempts = deleteWhere(world.state.connectAttempts, (one) => subject.isOf(one) && isDeleted(one));
  const deleted = countsOf({ connect_attempt: attempts, tester });
  return { person: personOf(world, subject), deleted, failed: 0 };
}

function deleteTesters(world: World, { client, isOf }: Subject, accounts: readonly Connection[]): number {
  if (client.testers === "everyone") return 0;
  const isAccount = (one: { readonly provider: string; readonly providerAccountId: string }) => (account: Connection) =>
    account.provider === one.provider && account.providerAccountId === one.providerAccountId;
  const others = [...world.state.connections.values()].filter((one) => one.applicationId === client.id && !isOf(one));
  const kept = client.testers.filter((one) => !accounts.some(isAccount(one)) || others.some(isAccount(one)));
  const deleted = client.testers.length - kept.length;
  client.testers = kept;
  return deleted;
}

function personOf(world: World, subject: Subject) {
  const { client, tenantKey, externalSubjectId, isOf } = subject;
  const connections = [...world.state.connections.values()].filter(isOf).toSorted(newestFirst);
  const records = recordsOf(world, subject, connections);
  return {
    clientId: client.id,
    clientSlug: client.slug,
    tenantKey,
    externalSubjectId,
    isStored: records.some(({ outlivesErasure }) => !outlivesErasure),
    connections: connections.slice(0, 100).map((connection) => shownConnection(world, connection)),
    records,
    receipts: receiptsOf(world, subject),
  };
}

function shownConnection(world: World, connection: Connection) {
  const { profile } = connection;
  const isOver = profile === null || isPastRetention("profile", profile.observedAt, world.now());
  return {
    ...connection,
    accountHint: accountHint(connection.providerAccountId),
    posts: world.state.content.get(connection.id)?.size ?? 0,
    profileFields: isOver ? [] : PROFILE.filter((field) => profile[field] !== null),
    profileEndsAt: isOver ? null : addMs(profile.observedAt, RETENTION.profile.keepMs),
  };
}

/** The records of each table of the service that has some, as the mock stores them. */
function recordsOf(world: World, subject: Subject, connections: readonly Connection[]) {
  const { state } = world;
  const receipts = erasuresOf(world, subject);
  const ids = new Set([...connections.map(({ id }) => id), ...receipts.map(({ connectionId }) => connectionId)]);
  const attempts = [...state.connectAttempts.values()].filter(subject.isOf);
  const attemptIds = new Set(attempts.map(({ id }) => id));
  const jobs = [...state.jobs.values()].filter(({ connectionId }) => ids.has(connectionId));
  const targets = new Set([...ids, ...jobs.map(({ id }) => id)]);
  const posts = connections.flatMap(({ id }) => [...(state.content.get(id)?.values() ?? [])]);
  const { testers } = subject.client;
  const ends: Readonly<Record<PersonTableName, readonly (Date | null)[]>> = {
    connection: connections.map(() => null),
    provider_grant: [...state.grants.values()]
      .filter((grant) => ids.has(grant.connectionId ?? "") || attemptIds.has(grant.attemptId ?? ""))
      .map(() => null),
    content_item: posts.map(({ reason, observedAt }) =>
      reason === "EXPIRED" ? null : addMs(observedAt, RETENTION.content.keepMs),
    ),
    connect_attempt: attempts.map(({ resultExpiresAt }) => resultExpiresAt),
    revoke_settlement: [...state.settlements.values()].filter(subject.isOf).map(() => null),
    tester: (testers === "everyone" ? [] : testers)
      .filter((one) =>
        connections.some(
          (account) => account.provider === one.provider && account.providerAccountId === one.providerAccountId,
        ),
      )
      .map(() => null),
    job: jobs.map(endOf),
    data_deletion: [...state.dataDeletions.values()]
      .filter(({ connectionIds }) => connectionIds.some((id) => ids.has(id) && state.connections.has(id)))
      .map(({ requestedAt }) => addMs(requestedAt, RETENTION.dataDeletion.keepMs)),
    audit_entry: state.auditEntries
      .filter(({ targetId, summary }) => targets.has(targetId) || summary.includes(labelOf(subject)))
      .map(({ at }) => addMs(at, RETENTION.auditEntry.keepMs)),
  };
  return (Object.keys(PERSON_RECORDS) as PersonTableName[]).flatMap((table) => {
    const rows = ends[table];
    const times = rows.filter((end) => end !== null).map((end) => end.getTime());
    const endsAt = times.length === 0 ? null : new Date(Math.max(...times));
    return rows.length === 0 ? [] : { table, ...PERSON_RECORDS[table], rows: rows.length, endsAt };
  });
}

function endOf({ kind, createdAt, finishedAt }: Job): Date | null {
  if (isReceipt(kind)) return addMs(createdAt, RETENTION.receipt.keepMs);
  return finishedAt && addMs(finishedAt, RETENTION.job.keepMs);
}

/** The erasures of the subject's connections, by the salted hash of their receipts. */
function erasuresOf(world: World, { client, tenantKey, externalSubjectId }: Subject): Job[] {
  const scope = { tenantKey, externalSubjectId };
  return [...world.state.jobs.values()].filter(
    ({ applicationId, kind, connectionId, scopeHash: hash }) =>
      applicationId === client.id && kind === "ERASE" && hash === scopeHash(connectionId, scope),
  );
}

function receiptsOf(world: World, subject: Subject) {
  const revokes = [...world.state.jobs.values()].filter(({ kind }) => kind === "REVOKE");
  return erasuresOf(world, subject).flatMap(({ connectionId, provider, status, deletedCounts }) => {
    const revoke = revokes.find((job) => job.connectionId === connectionId);
    if (revoke === undefined) return [];
    return {
      ...{ connectionId, provider, erase: status, deleted: countsOf(deletedCounts ?? {}) },
      ...{ revoke: revoke.status, revokeError: revoke.errorCode, userMustRemoveApp: revoke.creatorAction !== null },
    };
  });
}

const countsOf = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts).map(([table, rows]) => ({ table, rows }));

/** Names the person in the audit log, which outlives the data. */
function labelOf({ tenantKey, externalSubjectId }: Subject): string {
  return `one subject (SHA-256 ${sha256Hex(JSON.stringify([tenantKey, externalSubjectId])).slice(0, 12)}…)`;
}
