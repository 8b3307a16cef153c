import { accountHint, addMs, isPastRetention, PERSON_RECORDS, personViewed, RETENTION } from "@social-connect/domain";
import type { Prisma } from "../../_generated/prisma/client.ts";
import type { SessionActor } from "../admin/actor.ts";
import { recordOnce } from "../audit/recordOnce.ts";
import { type ErasureReceipt, readReceipts } from "../operations/erasureReceipts.ts";
import type { Service } from "../service.ts";
import { findScope, type SupportScope } from "../support/searchConnections.ts";
import { findPerson, type Person, type PersonScope } from "./findPerson.ts";
import type { PersonTable } from "./personTable.ts";
import { PERSON_TABLES } from "./personTables.ts";
import { countRows, type RowCount } from "./readRows.ts";

const CONNECTIONS_SHOWN = 100;
/** The columns that a read of the profile fills. */
const PROFILE = ["displayName", "handle", "avatarUrl", "profileUrl", "description"] as const;

/** The rows of a table that are a person's. */
export interface PersonRecords extends RowCount {
  readonly table: PersonTable;
}

export type PersonView = Awaited<ReturnType<typeof readPerson>>;
export type PersonConnection = PersonView["connections"][number];

/**
 * What is stored about a client's user: counts, states and times, no value that a provider gave. An entry in the audit log
 * covers 15 minutes, so that a page can refresh itself.
 */
export async function viewPerson(service: Service, actor: SessionActor, scope: SupportScope): Promise<PersonView> {
  const person = await findPerson(service, await findScope(service, scope));
  await recordOnce(service, actor, personViewed(person.application, person.label));
  return readPerson(service, person);
}

export async function readPerson(service: Service, person: Person) {
  const now = await service.clock.now();
  const [records, connections, receipts] = await Promise.all([
    countRecords(service, person),
    listConnections(service, person, now),
    receiptsOf(service, person),
  ]);
  const isStored = holdsPerson(records);
  return { ...person, isStored, records: records.filter(({ rows }) => rows > 0), connections, receipts };
}

/** All tables, also those without a row. */
export function countRecords({ pool }: Pick<Service, "pool">, person: Person): Promise<PersonRecords[]> {
  return Promise.all(PERSON_TABLES.map(async (table) => ({ table, ...(await countRows(pool, table, person)) })));
}

/** Whether more is stored than records of an erasure. */
export function holdsPerson(records: readonly PersonRecords[]): boolean {
  return records.some(({ rows, table }) => rows > 0 && !PERSON_RECORDS[table.name].outlivesErasure);
}

/** Reads the receipts of the connections that are disconnected or erased. */
export async function receiptsOf(service: Pick<Service, "prisma">, person: Person): Promise<ErasureReceipt[]> {
  return readReceipts(service, person.disconnected);
}

async function listConnections({ prisma }: Service, person: Person, now: Date) {
  const rows = await prisma.connection.findMany({
    where: subjectOf(person),
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: CONNECTIONS_SHOWN,
    select: SHOWN,
  });
  const connectionId = { in: rows.map(({ id }) => id) };
  const where = { applicationId: person.application.id, connectionId };
  const posts = await prisma.contentItem.groupBy({ by: ["connectionId"], where, _count: true });
  const counts = new Map(posts.map((counted) => [counted.connectionId, counted._count]));
  return rows.map(({ providerAccountId, profileObservedAt: readAt, ...row }) => {
    const isOver = readAt === null || isPastRetention("profile", readAt, now);
    return {
      ...row,
      accountHint: accountHint(providerAccountId),
      posts: counts.get(row.id) ?? 0,
      profileFields: isOver ? [] : PROFILE.filter((field) => row[field] !== null),
      profileEndsAt: isOver ? null : addMs(readAt, RETENTION.profile.keepMs),
    };
  });
}

export function subjectOf({ application, tenantKey, externalSubjectId }: PersonScope) {
  return { applicationId: application.id, tenantKey, externalSubjectId };
}

const SHOWN = {
  id: true,
  provider: true,
  providerAccountId: true,
  status: true,
  createdAt: true,
  profileObservedAt: true,
  displayName: true,
  handle: true,
  avatarUrl: true,
  profileUrl: true,
  description: true,
} as const satisfies Prisma.ConnectionSelect;
