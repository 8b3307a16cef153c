import type { ConnectResultCode, ConnectSessionStatus, SocialProvider } from "@social-connect/contract";
import {
  accountHint,
  attemptAsRead,
  connectionsSearched,
  explainAttempt,
  InvalidInputError,
  type SupportSearch,
} from "@social-connect/domain";
import type { ConnectAttempt, Prisma } from "../../_generated/prisma/client.ts";
import type { AdminActor } from "../admin/actor.ts";
import { NEWEST_FIRST, type Page, type PageRequest, readPage } from "../admin/page.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import type { Service } from "../service.ts";

/** Whose connections are searched. */
export interface SupportScope {
  readonly clientSlug: string;
  /** Absent: the client's only tenant. */
  readonly tenantKey?: string | null | undefined;
  readonly externalSubjectId: string;
}

/** The columns that a list of connections needs for its order and for the audit log. */
export const LISTED_CONNECTION = {
  id: true,
  status: true,
  createdAt: true,
  externalSubjectId: true,
  tenantKey: true,
  cause: true,
  causeSince: true,
  application: { select: { id: true, slug: true } },
} as const satisfies Prisma.ConnectionSelect;
export type ListedConnection = Prisma.ConnectionGetPayload<{ select: typeof LISTED_CONNECTION }>;
export interface ShownConnections {
  readonly select: typeof LISTED_CONNECTION;
}

/** A connect attempt in a list. */
export interface ListedAttempt {
  readonly id: string;
  readonly clientId: string;
  readonly clientSlug: string;
  readonly provider: SocialProvider;
  readonly status: ConnectSessionStatus;
  readonly resultCode: string | null;
  readonly createdAt: Date;
  /** The connection that it made, or that it was to reconnect. */
  readonly connectionId: string | null;
  /** The hint of that connection's account. The account of another attempt is not stored. */
  readonly accountHint: string | null;
  readonly userMessage: string;
  readonly nextStep: string;
}

type Client = Pick<Service, "prisma">;
/** A condition on the columns that both tables have. */
type SubjectRows = Prisma.ConnectionWhereInput & Prisma.ConnectAttemptWhereInput;

/** The connections of a subject, newest first. */
export function searchConnections(
  service: Service,
  actor: AdminActor,
  scope: SupportScope,
  page: PageRequest,
  query: ShownConnections = { select: LISTED_CONNECTION },
): Promise<Page<ListedConnection>> {
  const list: Search<ListedConnection>["list"] = ({ prisma }, where, take) =>
    listConnections({ prisma }, where, take, query);
  return search(service, actor, { what: "connections", name: "supportConnections", list }, scope, page);
}

/** The connect attempts of a subject whose result is stored, newest first. */
export function searchConnectAttempts(
  service: Service,
  actor: AdminActor,
  scope: SupportScope,
  page: PageRequest,
): Promise<Page<ListedAttempt>> {
  return search(service, actor, { what: "attempts", name: "supportAttempts", list: listAttempts }, scope, page);
}

interface Search<Row> {
  /** For the audit log. */
  readonly what: SupportSearch;
  /** Binds its cursors to this list. */
  readonly name: string;
  readonly list: (service: Service, where: SubjectRows, take: number) => Promise<Row[]>;
}

/** A page of the rows of a subject. The audit entry is stored before they are read. */
async function search<Row extends { readonly id: string; readonly createdAt: Date }>(
  service: Service,
  actor: AdminActor,
  { what, name, list }: Search<Row>,
  scope: SupportScope,
  page: PageRequest,
): Promise<Page<Row>> {
  const { client, binding, where } = await rowsOf(service, scope);
  await recordAudit(service.prisma, actor, await service.clock.now(), connectionsSearched(client, what));
  return readPage(service, page, {
    binding: [name, ...binding],
    positionOf: ({ createdAt, id }) => NEWEST_FIRST.positionOf(createdAt, id),
    load: (after, take) => list(service, { AND: [where, afterPosition(after)] }, take),
  });
}

/** Connections, newest first. */
export function listConnections(
  { prisma }: Client,
  where: Prisma.ConnectionWhereInput,
  take: number,
  query: ShownConnections,
): Promise<ListedConnection[]> {
  return prisma.connection.findMany({ ...query, where, orderBy: NEWEST, take });
}

/** Connect attempts whose result is stored, newest first. */
export async function listAttempts(
  { prisma, clock }: Pick<Service, "prisma" | "clock">,
  where: Prisma.ConnectAttemptWhereInput,
  take: number,
): Promise<ListedAttempt[]> {
  const now = await clock.now();
  const readable = { AND: [where, { resultExpiresAt: { gt: now } }] };
  const rows = await prisma.connectAttempt.findMany({ where: readable, orderBy: NEWEST, take, select: LISTED_ATTEMPT });
  const hints = await hintsOf({ prisma }, rows);
  return rows.flatMap(({ application, reconnectConnectionId, ...row }) => {
    const read = attemptAsRead({ ...row, resultCode: row.resultCode as ConnectResultCode | null }, now);
    if (read === null) return [];
    const { id, provider, status, resultCode, createdAt } = read;
    const connectionId = read.connectionId ?? reconnectConnectionId;
    return {
      ...{ id, provider, status, resultCode, createdAt, connectionId },
      clientId: application.id,
      clientSlug: application.slug,
      accountHint: hints.get(connectionId ?? "") ?? null,
      ...explainAttempt(status, resultCode),
    };
  });
}

type AttemptOwner = Pick<ConnectAttempt, "applicationId" | "connectionId" | "reconnectConnectionId">;

async function hintsOf({ prisma }: Client, attempts: readonly AttemptOwner[]): Promise<Map<string, string | null>> {
  const ids = attempts
    .map((attempt) => attempt.connectionId ?? attempt.reconnectConnectionId)
    .filter((id) => id !== null);
  if (ids.length === 0) return new Map();
  const applicationIds = [...new Set(attempts.map(({ applicationId }) => applicationId))];
  const connections = await prisma.connection.findMany({
    where: { applicationId: { in: applicationIds }, id: { in: [...new Set(ids)] } },
    select: { id: true, providerAccountId: true },
  });
  return new Map(connections.map(({ id, providerAccountId }) => [id, accountHint(providerAccountId)]));
}

/** The rows of a subject. The application and the tenant are the first columns of the index. */
async function rowsOf(service: Client, scope: SupportScope) {
  const { application: client, tenantKey, externalSubjectId } = await findScope(service, scope);
  const where = { applicationId: client.id, tenantKey, externalSubjectId };
  return { client, binding: Object.values(where), where };
}

/** The client and the tenant that are searched. */
export async function findScope({ prisma }: Client, { clientSlug, tenantKey, externalSubjectId }: SupportScope) {
  const select = { id: true, slug: true, tenantKeys: true } as const;
  const client = await prisma.application.findUnique({ where: { slug: clientSlug }, select });
  if (client === null) throw new InvalidInputError("clientSlug", "No client has this slug.");
  const [only, ...others] = client.tenantKeys;
  const tenant = tenantKey ?? (others.length === 0 ? only : undefined);
  if (tenant === undefined) throw new InvalidInputError("tenantKey", "The client has several tenants. Name one.");
  return { application: { id: client.id, slug: client.slug }, tenantKey: tenant, externalSubjectId };
}

function afterPosition(position: readonly string[] | null) {
  if (position === null) return {};
  const { at: createdAt, id } = NEWEST_FIRST.read(position);
  // The first condition is implied by the second; it lets the index start at the position.
  return { createdAt: { lte: createdAt }, OR: [{ createdAt: { lt: createdAt } }, { createdAt, id: { lt: id } }] };
}

const NEWEST = [{ createdAt: "desc" }, { id: "desc" }] satisfies { createdAt?: "desc"; id?: "desc" }[];

const LISTED_ATTEMPT = {
  id: true,
  applicationId: true,
  provider: true,
  status: true,
  resultCode: true,
  connectionId: true,
  reconnectConnectionId: true,
  creatorAction: true,
  createdAt: true,
  expiresAt: true,
  resultExpiresAt: true,
  application: { select: { id: true, slug: true } },
} as const satisfies Prisma.ConnectAttemptSelect;
