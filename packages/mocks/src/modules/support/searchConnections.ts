import {
  accountHint,
  asUuid,
  attemptAsRead,
  type ConnectionListFilter,
  connectionRank,
  connectionsSearched,
  explainAttempt,
  InvalidInputError,
} from "@social-connect/domain";
import type { ConnectAttempt, Connection } from "../../state/state.ts";
import type { World } from "../../world/world.ts";
import type { AdminActor } from "../admin/actor.ts";
import { type PageRequest, pageOf } from "../admin/page.ts";
import { applicationOf } from "../applications/authenticate.ts";
import { recordAudit } from "../audit/audit.ts";
import { foreseenReconnects } from "../overview/foreseenReconnects.ts";

export interface SupportScope {
  readonly clientSlug: string;
  /** Absent: the client's only tenant. */
  readonly tenantKey?: string | null;
  readonly externalSubjectId: string;
}

export function searchConnections(world: World, actor: AdminActor, scope: SupportScope, page: PageRequest) {
  const { client, tenantKey, isOf } = subjectOf(world, scope);
  recordAudit(world, actor, connectionsSearched(client, "connections"));
  const rows = [...world.state.connections.values()].filter(isOf).toSorted(newestFirst);
  const binding = ["supportConnections", client.id, tenantKey, scope.externalSubjectId];
  const { items, pageInfo } = pageOf(world, rows, page, { binding, ...BY_TIME });
  return { items: items.map((row) => listedConnection(world, row)), pageInfo };
}

export function searchConnectAttempts(world: World, actor: AdminActor, scope: SupportScope, page: PageRequest) {
  const { client, tenantKey, isOf } = subjectOf(world, scope);
  recordAudit(world, actor, connectionsSearched(client, "attempts"));
  const readable = (row: ConnectAttempt) => row.resultExpiresAt > world.now();
  const rows = [...world.state.connectAttempts.values()]
    .filter((row) => isOf(row) && readable(row))
    .toSorted(newestFirst);
  const binding = ["supportAttempts", client.id, tenantKey, scope.externalSubjectId];
  const { items, pageInfo } = pageOf(world, rows, page, { binding, ...BY_TIME });
  return { items: items.flatMap((row) => listedAttempt(world, row)), pageInfo };
}

/** The connections of all clients that a filter admits: needed reconnects first, then the newest first. */
export function listAllConnections(world: World, filter: ConnectionListFilter, page: PageRequest) {
  const { clientSlug, tenantKey, provider, status, syncStatus, errorCode, reconnectForeseen, from, to } = filter;
  const client = clientSlug == null ? null : clientWithSlug(world, clientSlug);
  const registrationId = filter.registrationId == null ? null : asUuid(filter.registrationId);
  if (filter.registrationId != null && !world.state.registrations.has(registrationId ?? ""))
    throw new InvalidInputError("registrationId", "No registration has this id.");
  const foreseen = new Set(reconnectForeseen ? foreseenReconnects(world).map(({ connection }) => connection) : []);
  const isWanted = (row: Connection) =>
    (client === null || row.applicationId === client.id) &&
    row.registrationId === (registrationId ?? row.registrationId) &&
    (!reconnectForeseen || foreseen.has(row)) &&
    row.tenantKey === (tenantKey ?? row.tenantKey) &&
    row.provider === (provider ?? row.provider) &&
    row.status === (status ?? row.status) &&
    row.syncStatus === (syncStatus ?? row.syncStatus) &&
    row.scanErrorCode === (errorCode ?? row.scanErrorCode) &&
    row.createdAt >= (from ?? row.createdAt) &&
    (to == null || row.createdAt < to);
  const rankOf = (row: Connection) => connectionRank(row.status);
  const rows = [...world.state.connections.values()]
    .filter(isWanted)
    .toSorted((one, other) => rankOf(one) - rankOf(other) || newestFirst(one, other));
  const texts = [
    client?.id,
    registrationId,
    tenantKey,
    provider,
    status,
    syncStatus,
    errorCode,
    reconnectForeseen ? "foreseen" : null,
    from?.toISOString(),
    to?.toISOString(),
  ];
  const { items, pageInfo } = pageOf(world, rows, page, {
    binding: ["allConnections", ...texts.map((text) => text ?? "")],
    positionOf: (row) => `${rankOf(row)} ${positionOf(row)}`,
    isAfter: (row, position) => {
      const [rank] = position;
      return String(rankOf(row)) === rank ? positionOf(row) < position.slice(2) : String(rankOf(row)) > String(rank);
    },
  });
  return { items: items.map((row) => listedConnection(world, row)), pageInfo };
}

/** What the id of a connection, connect attempt or job refers to. A mock keeps no correlation ids. */
export function findByReference(world: World, actor: AdminActor, reference: string) {
  const id = asUuid(reference.trim()) ?? "";
  const { connections, jobs, connectAttempts } = world.state;
  const attempt = connectAttempts.get(id);
  const attempts = attempt === undefined ? [] : listedAttempt(world, attempt);
  const ofJobs = [...jobs.values()].filter((job) => job.id === id || job.connectionId === id);
  const ids = [id, ...ofJobs.map((job) => job.connectionId), ...attempts.map(({ connectionId }) => connectionId ?? "")];
  const rows = [...new Set(ids)].map((one) => connections.get(one)).filter((one) => one !== undefined);
  const erased = ofJobs.filter((job) => !connections.has(job.connectionId));
  const found = {
    connections: rows.toSorted(newestFirst).map((row) => listedConnection(world, row)),
    erased: [...new Map(erased.map((job) => [job.connectionId, job.applicationId]))].map(
      ([erasedId, applicationId]) => {
        return { id: erasedId, ...clientOf(world, applicationId) };
      },
    ),
    attempts,
  };
  const clients = new Map(Object.values(found).flatMap((rows) => rows.map((row) => [row.clientId, row.clientSlug])));
  for (const [id, slug] of clients) recordAudit(world, actor, connectionsSearched({ id, slug }, "reference"));
  return found;
}

function listedConnection(world: World, connection: Connection) {
  const { id, applicationId, provider, tenantKey, status, syncStatus, createdAt, lastSuccessfulSyncAt } = connection;
  return {
    ...{ id, ...clientOf(world, applicationId), provider, tenantKey, status, syncStatus, createdAt },
    ...{ lastSuccessfulSyncAt, errorCode: connection.scanErrorCode },
    accountHint: accountHint(connection.providerAccountId),
  };
}

/** Empty once the attempt's result has expired. */
export function listedAttempt(world: World, attempt: ConnectAttempt) {
  const read = attemptAsRead(attempt, world.now());
  if (read === null) return [];
  const { id, provider, status, resultCode, createdAt } = read;
  const connectionId = read.connectionId ?? attempt.reconnectConnectionId;
  const connection = world.state.connections.get(connectionId ?? "");
  const hint = connection === undefined ? null : accountHint(connection.providerAccountId);
  const texts = explainAttempt(status, resultCode);
  const client = clientOf(world, attempt.applicationId);
  return [{ id, ...client, provider, status, resultCode, createdAt, connectionId, accountHint: hint, ...texts }];
}

export function clientOf(world: World, applicationId: string) {
  const { id, slug } = applicationOf(world, applicationId);
  return { clientId: id, clientSlug: slug };
}

function clientWithSlug(world: World, slug: string) {
  const client = [...world.state.applications.values()].find((one) => one.slug === slug);
  if (client === undefined) throw new InvalidInputError("clientSlug", "No client has this slug.");
  return client;
}

export function subjectOf(world: World, { clientSlug, tenantKey = null, externalSubjectId }: SupportScope) {
  const client = clientWithSlug(world, clientSlug);
  const [only, ...others] = client.tenantKeys;
  const tenant = tenantKey ?? (others.length === 0 ? only : undefined);
  if (tenant === undefined) throw new InvalidInputError("tenantKey", "The client has several tenants. Name one.");
  const isOf = (row: Pick<Connection, "applicationId" | "tenantKey" | "externalSubjectId">) =>
    row.applicationId === client.id && row.tenantKey === tenant && row.externalSubjectId === externalSubjectId;
  return { client, tenantKey: tenant, externalSubjectId, isOf };
}

interface Dated {
  readonly id: string;
  readonly createdAt: Date;
}

const positionOf = ({ createdAt, id }: Dated) => `${createdAt.toISOString()} ${id}`;
const BY_TIME = { positionOf, isAfter: (row: Dated, position: string) => positionOf(row) < position };

export function newestFirst(one: Dated, other: Dated): number {
  return positionOf(one) < positionOf(other) ? 1 : -1;
}
