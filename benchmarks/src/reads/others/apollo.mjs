/**
 * Apollo Server 5 with Prisma, as an application would write it: the service's schema, resolvers that load rows with
 * Prisma, the key and the scope checked. It has no rules of access and no encrypted cursor. `DATABASE_URL`, `PORT`.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import { readFile } from "node:fs/promises";
import { importOther, PRISMA_CLIENT } from "./packages.ts";

const { ApolloServer } = await importOther("@apollo/server");
const { startStandaloneServer } = await importOther("@apollo/server/standalone");
const { PrismaPg } = await importOther("@prisma/adapter-pg");
const { PrismaClient } = await importOther(PRISMA_CLIENT);
const prisma = new PrismaClient({
  adapter: new PrismaPg({ connectionString: process.env.DATABASE_URL, max: 10 }),
});
const SCHEMA = new URL("../../../../packages/contract/consumer.graphql", import.meta.url);

async function contextOf({ req }) {
  const [id = "", secret = ""] = req.headers.authorization?.slice("Bearer ".length).split(".") ?? [];
  const key = await prisma.applicationKey.findUniqueOrThrow({ where: { id }, include: { application: true } });
  const isRight = timingSafeEqual(createHash("sha256").update(secret).digest(), key.secretHash);
  if (!isRight || key.revokedAt !== null || !key.application.enabled) throw new Error("wrong key");
  return { applicationId: key.applicationId };
}

function showPost({ metrics, metricsObservedAt, ...post }) {
  return {
    ...post,
    metrics: metrics.map((metric) => ({ ...metric, observedAt: metricsObservedAt ?? post.observedAt })),
  };
}

function showConnection({ capabilities, ...connection }) {
  return {
    ...connection,
    capabilities: capabilities.map((capability) => ({ capability, availability: "AVAILABLE", reason: null })),
    profile: { ...connection, observedAt: connection.profileObservedAt },
  };
}

const connectionOf = (scope, id, { applicationId }) =>
  prisma.connection.findFirstOrThrow({ where: { id, applicationId, ...scope } });

const resolvers = {
  Query: {
    async content(_root, { scope, connectionId, window }, context) {
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
    async contentItem(_root, { scope, connectionId, providerContentId }, context) {
      const connection = await connectionOf(scope, connectionId, context);
      const post = await prisma.contentItem.findFirst({ where: { connectionId: connection.id, providerContentId } });
      return post && showPost(post);
    },
    async connection(_root, { scope, id }, context) {
      return showConnection(await connectionOf(scope, id, context));
    },
    async connections(_root, { scope }, { applicationId }) {
      const rows = await prisma.connection.findMany({
        where: { applicationId, ...scope },
        orderBy: [{ createdAt: "asc" }, { id: "asc" }],
        take: 21,
      });
      const items = rows.slice(0, 20).map(showConnection);
      return { items, pageInfo: { endCursor: items.at(-1)?.id ?? null, hasNextPage: rows.length > 20 } };
    },
    syncJob(_root, { connectionId, id }, { applicationId }) {
      return prisma.job.findFirstOrThrow({ where: { id, connectionId, applicationId } });
    },
    connectSessionResult(_root, { scope, id }, { applicationId }) {
      return prisma.connectAttempt.findFirstOrThrow({ where: { id, applicationId, ...scope } });
    },
  },
};

const server = new ApolloServer({ typeDefs: await readFile(SCHEMA, "utf8"), resolvers });
await startStandaloneServer(server, {
  listen: { port: Number(process.env.PORT), host: "127.0.0.1" },
  context: contextOf,
});
