/**
 * Apollo Server 5 with Prisma, as an application would write it: the service's schema, resolvers that load rows with
 * Prisma, the key and the scope checked. It has no rules of access and no encrypted cursor. `DATABASE_URL`, `PORT`.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import { readFile } from "node:fs/promises";
import { importOther, PRISMA_CLIENT } from "./packages.ts";

interface Apollo {
  ApolloServer: new (options: { typeDefs: string; resolvers: object }) => object;
}
interface Standalone {
  startStandaloneServer(server: object, options: object): Promise<{ url: string }>;
}
interface Incoming {
  readonly req: { readonly headers: { readonly authorization?: string } };
}
interface Scope {
  readonly tenantKey: string;
  readonly externalSubjectId: string;
}
interface Window {
  readonly publishedAfter: string;
  readonly publishedBefore: string;
  readonly first: number;
}
interface Context {
  readonly applicationId: string;
}
interface Post {
  readonly id: string;
  readonly metrics: readonly object[];
  readonly metricsObservedAt: Date | null;
  readonly observedAt: Date;
}
interface Connection {
  readonly id: string;
  readonly capabilities: readonly string[];
  readonly profileObservedAt: Date | null;
}
interface Key {
  readonly secretHash: Uint8Array;
  readonly applicationId: string;
  readonly revokedAt: Date | null;
  readonly application: { readonly enabled: boolean };
}
/** What is used of Prisma's client, which is generated at the first use. */
interface Table<Row> {
  findMany(query: object): Promise<Row[]>;
  findFirst(query: object): Promise<Row | null>;
  findFirstOrThrow(query: object): Promise<Row>;
  findUniqueOrThrow(query: object): Promise<Row>;
}
interface Prisma {
  readonly applicationKey: Table<Key>;
  readonly connection: Table<Connection>;
  readonly contentItem: Table<Post>;
  readonly job: Table<object>;
  readonly connectAttempt: Table<object>;
}

const { ApolloServer } = await importOther<Apollo>("@apollo/server");
const { startStandaloneServer } = await importOther<Standalone>("@apollo/server/standalone");
const { PrismaPg } = await importOther<{ PrismaPg: new (options: object) => object }>("@prisma/adapter-pg");
const { PrismaClient } = await importOther<{ PrismaClient: new (options: object) => Prisma }>(PRISMA_CLIENT);
const prisma = new PrismaClient({
  adapter: new PrismaPg({ connectionString: process.env.DATABASE_URL, max: 10 }),
});
const SCHEMA = new URL("../../../../packages/contract/consumer.graphql", import.meta.url);

async function contextOf({ req }: Incoming): Promise<Context> {
  const [id = "", secret = ""] = req.headers.authorization?.slice("Bearer ".length).split(".") ?? [];
  const key = await prisma.applicationKey.findUniqueOrThrow({ where: { id }, include: { application: true } });
  const isRight = timingSafeEqual(createHash("sha256").update(secret).digest(), key.secretHash);
  if (!isRight || key.revokedAt !== null || !key.application.enabled) throw new Error("wrong key");
  return { applicationId: key.applicationId };
}

function showPost({ metrics, metricsObservedAt, ...post }: Post) {
  return {
    ...post,
    metrics: metrics.map((metric) => ({ ...metric, observedAt: metricsObservedAt ?? post.observedAt })),
  };
}

function showConnection({ capabilities, ...connection }: Connection) {
  return {
    ...connection,
    capabilities: capabilities.map((capability) => ({ capability, availability: "AVAILABLE", reason: null })),
    profile: { ...connection, observedAt: connection.profileObservedAt },
  };
}

const connectionOf = (scope: Scope, id: string, { applicationId }: Context) =>
  prisma.connection.findFirstOrThrow({ where: { id, applicationId, ...scope } });

const resolvers = {
  Query: {
    async content(
      _root: unknown,
      { scope, connectionId, window }: { scope: Scope; connectionId: string; window: Window },
      context: Context,
    ) {
      const connection = await connectionOf(scope, connectionId, context);
      const posts = await prisma.contentItem.findMany({
        where: { connectionId: connection.id, publishedAt: { gte: window.publishedAfter, lt: window.publishedBefore } },
        orderBy: [{ publishedAt: "desc" }, { id: "desc" }],
        take: window.first + 1,
      });
      const items = posts.slice(0, window.first).map(showPost);
      const hasNextPage = posts.length > window.first;
      return { items, pageInfo: { endCursor: items.at(-1)?.id ?? null, hasNextPage, completeForWindow: true } };
    },
    async contentItem(
      _root: unknown,
      { scope, connectionId, providerContentId }: { scope: Scope; connectionId: string; providerContentId: string },
      context: Context,
    ) {
      const connection = await connectionOf(scope, connectionId, context);
      const post = await prisma.contentItem.findFirst({ where: { connectionId: connection.id, providerContentId } });
      return post && showPost(post);
    },
    async connection(_root: unknown, { scope, id }: { scope: Scope; id: string }, context: Context) {
      return showConnection(await connectionOf(scope, id, context));
    },
    async connections(_root: unknown, { scope }: { scope: Scope }, { applicationId }: Context) {
      const rows = await prisma.connection.findMany({
        where: { applicationId, ...scope },
        orderBy: [{ createdAt: "asc" }, { id: "asc" }],
        take: 21,
      });
      const items = rows.slice(0, 20).map(showConnection);
      return { items, pageInfo: { endCursor: items.at(-1)?.id ?? null, hasNextPage: rows.length > 20 } };
    },
    syncJob(_root: unknown, { connectionId, id }: { connectionId: string; id: string }, { applicationId }: Context) {
      return prisma.job.findFirstOrThrow({ where: { id, connectionId, applicationId } });
    },
    connectSessionResult(_root: unknown, { scope, id }: { scope: Scope; id: string }, { applicationId }: Context) {
      return prisma.connectAttempt.findFirstOrThrow({ where: { id, applicationId, ...scope } });
    },
  },
};

const server = new ApolloServer({ typeDefs: await readFile(SCHEMA, "utf8"), resolvers });
await startStandaloneServer(server, {
  listen: { port: Number(process.env.PORT), host: "127.0.0.1" },
  context: contextOf,
});
console.log("ready");
