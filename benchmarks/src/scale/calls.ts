import { type Connection, Prisma } from "../../../apps/server/src/_generated/prisma/client.ts";
import { authenticate } from "../../../apps/server/src/modules/applications/checkKey.ts";
import { listConnections } from "../../../apps/server/src/modules/connections/listConnections.ts";
import { readConnection } from "../../../apps/server/src/modules/connections/readConnection.ts";
import { readContent, readContentItem } from "../../../apps/server/src/modules/content/readContent.ts";
import { findUnseenPosts, type Observed, upsertContent } from "../../../apps/server/src/modules/jobs/store.ts";
import { PURGE_SWEEPS } from "../../../apps/server/src/modules/retention/purge.ts";
import type { Service } from "../../../apps/server/src/modules/service.ts";
import { DUE_POSTS, type Filled, LIVE_POSTS } from "./fill.ts";

const DAY_MS = 86_400_000;

export interface Call {
  readonly name: string;
  /** What `run` needs of a connection and is not measured. */
  readonly prepare?: (connection: Connection) => Promise<unknown>;
  readonly run: (connection: Connection) => Promise<unknown>;
}

/** What the service does most: the hot reads with their key check, and what scans and the sweep of posts do. */
export async function callsOf(service: Service, { key }: Filled): Promise<Call[]> {
  const caller = await authenticate(service, [`Bearer ${key}`]);
  const now = await service.clock.now();
  const window = (days: number, first: number) => ({
    publishedAfter: new Date(now.getTime() - days * DAY_MS),
    publishedBefore: now,
    first,
  });
  const content = (connection: Connection, days: number, first: number, after: string | null = null) =>
    readContent(service, caller, connection, connection.id, { ...window(days, first), after });
  const sweep = PURGE_SWEEPS.find(({ name }) => name === "expireContent");
  if (sweep === undefined) throw new Error("there is no sweep expireContent");
  const cursors = new Map<string, string | null>();
  const posts = new Map<string, readonly Observed[]>();
  return [
    { name: "key check", run: () => authenticate(service, [`Bearer ${key}`]) },
    { name: "content, 50 posts of 30 days", run: (connection) => content(connection, 30, 50) },
    {
      name: "content, the next 10 posts",
      prepare: async (connection) => {
        const { pageInfo } = await content(connection, 29, 10);
        cursors.set(connection.id, pageInfo.endCursor);
      },
      run: (connection) => content(connection, 29, 10, cursors.get(connection.id)),
    },
    { name: "content, 50 posts of 80 days", run: (connection) => content(connection, 80, 50) },
    {
      name: "contentItem",
      run: (connection) => readContentItem(service, caller, connection, connection.id, "post-7"),
    },
    { name: "connection", run: (connection) => readConnection(service, caller, connection, connection.id) },
    {
      name: "connections",
      run: (connection) => listConnections(service, caller, connection, { first: 20, after: null }),
    },
    {
      name: `observation of ${LIVE_POSTS} posts`,
      prepare: async (connection) => void posts.set(connection.id, await nextObservation(service, connection)),
      run: (connection) =>
        service.prisma.$transaction((transaction) =>
          upsertContent(transaction, connection, posts.get(connection.id) ?? [], true),
        ),
    },
    {
      name: "posts missing from a listing",
      run: (connection) => findUnseenPosts(service, { connection, ...window(30, 0), since: now, seen: [], limit: 200 }),
    },
    { name: `count of ${DUE_POSTS} old posts`, run: () => sweep.begin(service, now).countDue(100_000) },
  ];
}

/** The statement of the next observation of an account's posts, which was not sent. */
export async function observationStatement(service: Service, connection: Connection): Promise<Prisma.Sql> {
  let statement = Prisma.empty;
  const $executeRaw = async (strings: readonly string[], ...values: unknown[]) => {
    statement = Prisma.sql(strings, ...values);
    return 0;
  };
  const observed = await nextObservation(service, connection);
  await upsertContent({ $executeRaw } as never, connection, observed, true);
  return statement;
}

/** The stored posts of an account as a later scan finds them, with more views. */
async function nextObservation(service: Service, connection: Connection): Promise<Observed[]> {
  const observedAt = new Date();
  const stored = await service.prisma.contentItem.findMany({
    where: { connectionId: connection.id, reason: null },
    orderBy: { publishedAt: "desc" },
  });
  return stored.map((post): Observed => {
    const metrics = post.metrics as unknown as Observed["item"]["metrics"];
    const changed = metrics.map((metric) => ({ ...metric, value: String(Math.floor(Number(metric.value) * 1.1) + 1) }));
    return { observedAt, item: { ...post, metrics: changed } as unknown as Observed["item"] };
  });
}
