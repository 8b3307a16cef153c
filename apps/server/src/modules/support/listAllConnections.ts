import { LIMITS } from "@social-connect/contract";
import {
  addMs,
  asUuid,
  type ConnectionListFilter,
  type ConnectionListOrder,
  type ConnectionOrder,
  connectionListOrder,
  connectionRank,
  InvalidInputError,
  listedStates,
} from "@social-connect/domain";
import { Prisma, type ProviderRegistration } from "../../_generated/prisma/client.ts";
import { isCluster } from "../../platform/distribution/isCluster.ts";
import { type Page, type PageRequest, readPage } from "../admin/page.ts";
import { foreseenReconnects } from "../grants/foreseenReconnects.ts";
import type { Service } from "../service.ts";
import { timestamp } from "../sweeps/sweep.ts";
import { LISTED_CONNECTION, type ListedConnection, type ShownConnections } from "./searchConnections.ts";

/** The place of a connection in the list. */
interface Position {
  readonly rank: number;
  readonly createdAt: Date;
  readonly id: string;
}

type Registration = Pick<ProviderRegistration, "id" | "provider">;

/** A filter whose client and registration were found. */
export interface WantedConnections extends ConnectionListFilter {
  readonly applicationId: string | null;
  readonly registration: Registration | null;
  /** Only those without a stored cause. */
  readonly hasNoCause?: boolean;
}

export interface ConnectionListArguments extends ConnectionListFilter {
  readonly order?: ConnectionOrder | null | undefined;
  readonly descending?: boolean | null | undefined;
}

/** The connections of all clients that a filter admits: needed reconnects first, then the newest first, or in the order. */
export async function listAllConnections(
  service: Service,
  args: ConnectionListArguments,
  page: PageRequest,
  query: ShownConnections = { select: LISTED_CONNECTION },
): Promise<Page<ListedConnection>> {
  const { order: by, descending, ...filter } = args;
  const order = connectionListOrder(filter, { order: by, descending });
  const wanted = await findWanted(service, filter);
  const chosen = { ...filterTexts(filter), ...(order && { by: order.by, descending: String(order.isDescending) }) };
  return readPage(service, page, {
    binding: ["allConnections", ...Object.entries(chosen).flat()],
    positionOf: (row) => (order === null ? newestPosition(row) : orderedPosition(order, row)),
    load: async (after, take) => {
      const ids = await (order === null
        ? findIds(service, wanted, after === null ? null : positionFrom(after), take)
        : findOrderedIds(service, wanted, order, after, take));
      const rows = await service.prisma.connection.findMany({ ...query, where: { id: { in: ids } } });
      return rows.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
    },
  });
}

/** The filters that are set, by name. */
export function filterTexts(filter: ConnectionListFilter): Record<string, string> {
  const texts = Object.entries(filter).map(([name, value]) => [
    name,
    value instanceof Date ? value.toISOString() : String(value ?? ""),
  ]);
  return Object.fromEntries(texts.filter(([, value]) => value !== "" && value !== "false"));
}

/** Throws for a client or a registration that does not exist, and for a handle that the client's rules do not show. */
export async function findWanted(
  service: Pick<Service, "prisma">,
  filter: ConnectionListFilter,
): Promise<WantedConnections> {
  const { clientSlug, registrationId, cause } = filter;
  const application = clientSlug == null ? null : await applicationOf(service, clientSlug);
  if (filter.handle != null && application?.capabilities.includes("PROFILE") !== true)
    throw new InvalidInputError("handle", "The client's permissions do not include profiles, so no handle is shown.");
  return {
    ...filter,
    // Only these have no cause although they need one.
    status: filter.status ?? (cause === "NOT_RECORDED" ? "RECONNECT_REQUIRED" : null),
    applicationId: application?.id ?? null,
    registration: registrationId == null ? null : await registrationOf(service, registrationId),
  };
}

async function applicationOf({ prisma }: Pick<Service, "prisma">, slug: string) {
  const application = await prisma.application.findUnique({
    where: { slug },
    select: { id: true, capabilities: true },
  });
  if (application === null) throw new InvalidInputError("clientSlug", "No client has this slug.");
  return application;
}

async function registrationOf({ prisma }: Pick<Service, "prisma">, id: string): Promise<Registration> {
  const uuid = asUuid(id);
  const select = { id: true, provider: true };
  const registration =
    uuid === null ? null : await prisma.providerRegistration.findUnique({ where: { id: uuid }, select });
  if (registration === null) throw new InvalidInputError("registrationId", "No registration has this id.");
  return registration;
}

/** The conditions without those of the state. */
function conditionsOf(wanted: WantedConnections, now: Date): Prisma.Sql[] {
  const { applicationId, registration, tenantKey, from, to, causeFrom, causeTo, externalSubjectId } = wanted;
  return [
    ...(applicationId === null ? [] : [Prisma.sql`application_id = ${applicationId}::uuid`]),
    ...(registration === null ? [] : [Prisma.sql`registration_id = ${registration.id}::uuid`]),
    ...(tenantKey == null ? [] : [Prisma.sql`tenant_key = ${tenantKey}`]),
    ...(externalSubjectId == null ? [] : [Prisma.sql`external_subject_id = ${externalSubjectId}`]),
    ...(from == null ? [] : [Prisma.sql`created_at >= ${timestamp(from)}`]),
    ...(to == null ? [] : [Prisma.sql`created_at < ${timestamp(to)}`]),
    ...causeConditions(wanted),
    // The index of the causes has only rows with one.
    ...(causeFrom == null ? [] : [Prisma.sql`cause IS NOT NULL AND cause_since >= ${timestamp(causeFrom)}`]),
    ...(causeTo == null ? [] : [Prisma.sql`cause IS NOT NULL AND cause_since < ${timestamp(causeTo)}`]),
    ...handleConditions(wanted, now),
  ];
}

function causeConditions({ cause, hasNoCause }: WantedConnections): Prisma.Sql[] {
  const none = hasNoCause ? [Prisma.sql`cause IS NULL`] : [];
  if (cause == null) return none;
  if (cause === "NOT_RECORDED") return [Prisma.sql`cause IS NULL AND status = 'RECONNECT_REQUIRED'`];
  return [...none, Prisma.sql`cause = ${cause}`];
}

/**
 * A handle is found only where the application itself could read it. All connections of the client are compared: each scan
 * would pay for an index.
 */
function handleConditions({ handle }: WantedConnections, now: Date): Prisma.Sql[] {
  if (handle == null) return [];
  const oldest = timestamp(addMs(now, -LIMITS.profileRetentionMs));
  return [
    Prisma.sql`lower(ltrim(handle, '@')) = lower(ltrim(${handle}, '@'))`,
    Prisma.sql`status = 'CONNECTED' AND 'PROFILE' = ANY (capabilities) AND profile_observed_at > ${oldest}`,
  ];
}

/** The rows that a filter admits, to be counted. */
export function wantedRows(wanted: WantedConnections, now: Date): Prisma.Sql {
  const where = whereAll([...conditionsOf(wanted, now), ...statesOf(wanted)]);
  return Prisma.sql`FROM ${tableOf(wanted, now)} ${where}`;
}

function tableOf(wanted: WantedConnections, now: Date): Prisma.Sql {
  if (!wanted.reconnectForeseen) return Prisma.sql`connection`;
  const { applicationId, registration } = wanted;
  return foreseenReconnects(now, { applicationId, registrationId: registration?.id });
}

async function findIds(
  service: Service,
  wanted: WantedConnections,
  after: Position | null,
  take: number,
): Promise<string[]> {
  const now = await service.clock.now();
  const isOfUser = wanted.externalSubjectId != null || wanted.handle != null;
  const query = wanted.reconnectForeseen
    ? foreseenRows(wanted, now, after, take)
    : isOfUser || (wanted.applicationId === null && (await isCluster(service.prisma)))
      ? sortedRows(wanted, now, after, take)
      : listedRows(wanted, now, after, take);
  return query === null ? [] : idsOf(service, query);
}

async function idsOf(service: Pick<Service, "prisma">, query: Prisma.Sql): Promise<string[]> {
  const rows = await service.prisma.$queryRaw<{ id: string }[]>(query);
  return rows.map(({ id }) => id);
}

/** A column of an order, and how a position has its value. */
interface OrderKey {
  readonly column: Prisma.Sql;
  readonly textOf: (row: ListedConnection) => string;
  readonly read: (text: string) => Prisma.Sql;
}

const asText = (text: string) => Prisma.sql`${text}`;
const asTime = (text: string) => timestamp(new Date(text));
const SINCE: OrderKey = {
  column: Prisma.sql`cause_since`,
  textOf: ({ causeSince }) => causeSince?.toISOString() ?? "",
  read: asTime,
};
const ORDER_KEYS: Readonly<Record<ConnectionOrder, readonly OrderKey[]>> = {
  USER: [
    {
      column: Prisma.sql`external_subject_id`,
      textOf: ({ externalSubjectId }) => externalSubjectId,
      read: asText,
    },
  ],
  CLIENT: [
    { column: Prisma.sql`slug`, textOf: ({ application }) => application.slug, read: asText },
    { column: Prisma.sql`tenant_key`, textOf: ({ tenantKey }) => tenantKey, read: asText },
  ],
  CAUSE: [{ column: Prisma.sql`cause`, textOf: ({ cause }) => cause ?? "", read: asText }, SINCE],
  SINCE: [SINCE],
};

/** A place among the connections with a cause, or among those without one, which follow in the order of the list. */
function orderedPosition({ by }: ConnectionListOrder, row: ListedConnection): readonly string[] {
  if (isOfCauses(by) && row.cause === null) return ["1", ...newestPosition(row)];
  return ["0", ...ORDER_KEYS[by].map(({ textOf }) => textOf(row)), row.id];
}

function isOfCauses(by: ConnectionOrder): boolean {
  return by === "CAUSE" || by === "SINCE";
}

async function findOrderedIds(
  service: Service,
  wanted: WantedConnections,
  order: ConnectionListOrder,
  after: readonly string[] | null,
  take: number,
): Promise<string[]> {
  const [part = "0", ...position] = after ?? [];
  const query = orderedRows(wanted, await service.clock.now(), order, position, take);
  const ids = part === "0" ? await idsOf(service, query) : [];
  if (!isOfCauses(order.by) || ids.length === take) return ids;
  const rest = part === "0" ? null : positionFrom(position);
  return [...ids, ...(await findIds(service, { ...wanted, hasNoCause: true }, rest, take - ids.length))];
}

/** Rows in the order of an index, or sorted where a filter leaves few of them: the planner knows how many. */
function orderedRows(
  wanted: WantedConnections,
  now: Date,
  { by, isDescending }: ConnectionListOrder,
  position: readonly string[],
  take: number,
): Prisma.Sql {
  const keys = ORDER_KEYS[by];
  const direction = isDescending ? Prisma.sql`DESC` : Prisma.sql`ASC`;
  const columns = [...keys.map(({ column }) => column), Prisma.sql`id`];
  const owner =
    by === "CLIENT"
      ? Prisma.sql`JOIN (SELECT id AS owner_id, slug FROM application) AS owner ON owner_id = application_id`
      : Prisma.empty;
  const where = whereAll([
    ...conditionsOf(wanted, now),
    ...statesOf(wanted),
    ...(isOfCauses(by) ? [Prisma.sql`cause IS NOT NULL`] : []),
    ...(position.length === 0 ? [] : [laterThan(keys, columns, isDescending, position)]),
  ]);
  const sorted = Prisma.join(columns.map((column) => Prisma.sql`${column} ${direction}`));
  return Prisma.sql`SELECT id FROM ${tableOf(wanted, now)} ${owner} ${where} ORDER BY ${sorted} LIMIT ${take}`;
}

function laterThan(
  keys: readonly OrderKey[],
  columns: readonly Prisma.Sql[],
  isDescending: boolean,
  position: readonly string[],
): Prisma.Sql {
  const values = [...keys.map(({ read }, index) => read(position[index] ?? "")), Prisma.sql`${position.at(-1)}::uuid`];
  const sign = isDescending ? Prisma.sql`<` : Prisma.sql`>`;
  return Prisma.sql`(${Prisma.join([...columns])}) ${sign} (${Prisma.join(values)})`;
}

/** The conditions of the state. */
function statesOf({ provider, status, syncStatus, errorCode }: WantedConnections): Prisma.Sql[] {
  return [
    ...(provider == null ? [] : [Prisma.sql`provider = ${provider}::social_provider`]),
    ...(status == null ? [] : [Prisma.sql`status = ${status}::connection_status`]),
    ...(syncStatus == null ? [] : [Prisma.sql`sync_status = ${syncStatus}::sync_status`]),
    ...(errorCode == null ? [] : [Prisma.sql`scan_error_code = ${errorCode}`]),
  ];
}

function whereAll(conditions: readonly Prisma.Sql[]): Prisma.Sql {
  return conditions.length === 0 ? Prisma.empty : Prisma.sql`WHERE ${Prisma.join([...conditions], " AND ")}`;
}

function foreseenRows(wanted: WantedConnections, now: Date, after: Position | null, take: number): Prisma.Sql {
  const where = whereAll([...conditionsOf(wanted, now), ...statesOf(wanted), ...following(after)]);
  return Prisma.sql`SELECT id FROM ${tableOf(wanted, now)} ${where} ORDER BY created_at DESC, id DESC LIMIT ${take}`;
}

/**
 * For the connections of a user, and for a cluster, which cannot merge indexes of all its nodes: each node sorts its own
 * connections, and the coordinator merges the first of each.
 */
function sortedRows(wanted: WantedConnections, now: Date, after: Position | null, take: number): Prisma.Sql {
  const rank = Prisma.sql`(status <> 'RECONNECT_REQUIRED')::int`;
  const later =
    after === null
      ? []
      : [Prisma.sql`(${rank} > ${after.rank} OR (${rank} = ${after.rank} AND ${following(after)[0]}))`];
  const where = whereAll([...conditionsOf(wanted, now), ...statesOf(wanted), ...later]);
  return Prisma.sql`SELECT id FROM connection ${where} ORDER BY ${rank}, created_at DESC, id DESC LIMIT ${take}`;
}

function following(after: Position | null): Prisma.Sql[] {
  return after === null ? [] : [Prisma.sql`(created_at, id) < (${timestamp(after.createdAt)}, ${after.id}::uuid)`];
}

/**
 * Reads the beginning of each state from an index that has its rows in the order of the list, and merges them, so the work
 * does not depend on how many connections there are or how rare the state is.
 */
function listedRows(wanted: WantedConnections, now: Date, after: Position | null, take: number): Prisma.Sql | null {
  const { registration, applicationId } = wanted;
  const states = listedStates(wanted).filter(
    ({ provider, status }) =>
      provider === (registration?.provider ?? provider) && connectionRank(status) >= (after?.rank ?? 0),
  );
  const conditions = [
    ...conditionsOf(wanted, now),
    // The index of registrations has no provider.
    ...(registration !== null && applicationId === null ? [] : [Prisma.sql`provider = state.provider`]),
    Prisma.sql`status = state.status AND sync_status = state.sync_status`,
  ];
  const parts = [true, false].flatMap((hasCode) =>
    [0, 1].flatMap((rank) => {
      const some = states.filter(
        ({ status, scanErrorCode }) => connectionRank(status) === rank && (scanErrorCode !== null) === hasCode,
      );
      if (some.length === 0) return [];
      const code = hasCode ? Prisma.sql`scan_error_code = state.code` : Prisma.sql`scan_error_code IS NULL`;
      const all = [...conditions, code, ...following(after?.rank === rank ? after : null)];
      // The planner uses the index's order for `IS NULL` only if ORDER BY names the column.
      return Prisma.sql`
        SELECT ${rank}::int AS rank, listed.created_at, listed.id
          FROM unnest(${some.map(({ provider }) => provider)}::social_provider[],
                      ${some.map(({ status }) => status)}::connection_status[],
                      ${some.map(({ syncStatus }) => syncStatus)}::sync_status[],
                      ${some.map(({ scanErrorCode }) => scanErrorCode)}::text[]) AS state (provider, status, sync_status, code)
         CROSS JOIN LATERAL (
           SELECT created_at, id FROM connection WHERE ${Prisma.join(all, " AND ")}
            ORDER BY scan_error_code DESC, created_at DESC, id DESC LIMIT ${take}) listed`;
    }),
  );
  if (parts.length === 0) return null;
  return Prisma.sql`${Prisma.join(parts, " UNION ALL ")} ORDER BY rank, created_at DESC, id DESC LIMIT ${take}`;
}

function newestPosition({ status, createdAt, id }: ListedConnection): readonly string[] {
  return [String(connectionRank(status)), createdAt.toISOString(), id];
}

function positionFrom([rank, createdAt, id]: readonly string[]): Position {
  return { rank: Number(rank), createdAt: new Date(createdAt ?? ""), id: id ?? "" };
}
