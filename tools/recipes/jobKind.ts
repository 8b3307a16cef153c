import type { Recipe } from "./edits.ts";

/** Rereads the metrics of the newest posts once a day, when the last scan was complete. */
export const JOB_KIND: Recipe = {
  name: "jobKind",
  mostFiles: 10,
  edits: [
    {
      step: "Kind with its name, capability and retry bounds, also in the database (`pnpm migration` writes the migration)",
      file: "packages/domain/src/jobs/job.ts",
      after: "  PROFILE: { name",
      insert: '  RECOUNT: { name: "recount", needs: "CONTENT_METRICS", retry: READ_RETRY },',
    },
    {
      step: "Kind with its name, capability and retry bounds, also in the database (`pnpm migration` writes the migration)",
      file: "packages/domain/src/jobs/job.ts",
      replace: "the service starts PROFILE and RECHECK",
      by: "the service starts PROFILE, RECOUNT and RECHECK",
    },
    {
      step: "Kind with its name, capability and retry bounds, also in the database (`pnpm migration` writes the migration)",
      file: "apps/server/prisma/schema.prisma",
      before: "  RECHECK",
      insert: "  RECOUNT",
    },
    {
      step: "When it starts",
      file: "packages/domain/src/jobs/backgroundReads.ts",
      after: '(isRead(connection.nextProfileAt, "PROFILE", "PROFILE")',
      insert: "      ...(isRecounted ? [RECOUNT] : []),",
    },
    {
      step: "When it starts",
      file: "packages/domain/src/jobs/backgroundReads.ts",
      after: "  const isScanned = ",
      insert: `  const isRecounted =
    facts.latestScan?.completeForWindow === true && isRead(connection.nextProfileAt, "CONTENT_METRICS", "RECOUNT");`,
    },
    {
      step: "When it starts",
      file: "packages/domain/src/jobs/backgroundReads.ts",
      after: "const PROFILE_READ = ",
      insert: 'const RECOUNT = { target: { kind: "RECOUNT" }, background: true, continues: null } as const;',
    },
    {
      step: "What it does, with its test",
      file: "apps/server/src/modules/jobs/runRecount.ts",
      create: `import type { RowKey } from "../rowKey.ts";
import type { Service } from "../service.ts";
import type { ReadResult } from "./recordRead.ts";
import type { ReadContext } from "./runRead.ts";
import { runRead } from "./runRead.ts";

/** Rereads the newest posts with their metrics, as many as a call returns. */
export async function runRecount(service: Service, job: RowKey): Promise<void> {
  await runRead(service, job, readNewest);
}

async function readNewest({ service, connection, adapter, call, withMetrics }: ReadContext): Promise<ReadResult> {
  const { id: connectionId, applicationId } = connection;
  const newest = await service.prisma.contentItem.findMany({
    where: { applicationId, connectionId, availability: "AVAILABLE" },
    orderBy: { publishedAt: "desc" },
    take: adapter.traits.readBatchSize,
  });
  if (newest.length === 0) return { outcome: "succeeded" };
  const providerContentIds = newest.map(({ providerContentId }) => providerContentId);
  const observedAt = await service.clock.now();
  const { items } = await call((session) => adapter.readContent(session, { providerContentIds, withMetrics }));
  const present = items.filter(({ reason }) => reason !== "DELETED_AT_PROVIDER");
  return { outcome: "succeeded", observed: present.map((item) => ({ item, observedAt })) };
}
`,
    },
    {
      step: "What it does, with its test",
      file: "apps/server/src/modules/jobs/reads.test.ts",
      after: 'import { requestContentLookup } from "./requestContentLookup.ts";',
      insert: 'import { runRecount } from "./runRecount.ts";',
    },
    {
      step: "What it does, with its test",
      file: "apps/server/src/modules/jobs/reads.test.ts",
      before: 'test("pauses reads that the registration does not offer',
      insert: `test("rereads the newest posts a day after a complete scan", async () => {
  await startInitialReads(service, connection);
  await scan();
  await finishAll();
  service.clock.advance(24 * HOUR);
  await runToEnd(service, [ENQUEUE_BACKGROUND_READS]);
  const fake = service.fakes.PROVIDER_A;
  fake.posts = fake.posts.map((post) => ({ ...post, title: "Recounted" }));
  const where = { connectionId: connection.id, kind: "RECOUNT" } as const;
  await runRecount(service, await service.prisma.job.findFirstOrThrow({ where }));
  expect(await service.prisma.job.findFirst({ where })).toMatchObject({ status: "SUCCEEDED" });
  expect(await storedPost(POST)).toMatchObject({ title: "Recounted", observedAt: service.clock.current });
});
`,
    },
    {
      step: "Task: queue, what it runs",
      file: "apps/server/src/worker/tasks.ts",
      after: "import { runProfileRead }",
      insert: 'import { runRecount } from "../modules/jobs/runRecount.ts";',
    },
    {
      step: "Task: queue, what it runs",
      file: "apps/server/src/worker/tasks.ts",
      after: '  profile: { lane: "read"',
      insert: '  recount: { lane: "read", run: runRecount },',
    },
    {
      step: "Mocks",
      file: "packages/mocks/src/modules/jobs/runRead.ts",
      replace: "import { lookUp, readMetrics, readProfile }",
      by: "import { lookUp, readMetrics, readNewest, readProfile }",
    },
    {
      step: "Mocks",
      file: "packages/mocks/src/modules/jobs/runRead.ts",
      after: "  PROFILE: { firstStep",
      insert: '  RECOUNT: { firstStep: () => "read", next: readNewest, failures: [] },',
    },
    {
      step: "Mocks",
      file: "packages/mocks/src/modules/jobs/readOne.ts",
      replace: "import { profileOf, servedCapabilities }",
      by: "import { PROVIDER_TRAITS, profileOf, servedCapabilities }",
    },
    {
      step: "Mocks",
      file: "packages/mocks/src/modules/jobs/readOne.ts",
      before: "/** A post that the provider no longer has; a stored post is marked as deleted. */",
      insert: `/** Rereads the newest posts with their metrics, as many as a call returns. */
export function readNewest({ world, connection, grant }: ReadContext): ReadResult {
  const newest = [...(world.state.content.get(connection.id)?.values() ?? [])]
    .filter(({ availability }) => availability === "AVAILABLE")
    .sort((one, other) => Number(other.publishedAt) - Number(one.publishedAt))
    .slice(0, PROVIDER_TRAITS[connection.provider].readBatchSize);
  const items = newest.flatMap(({ providerContentId }) => readPost(world, connection, grant, providerContentId) ?? []);
  return { outcome: "succeeded", observed: items.map((item) => ({ item, observedAt: world.now() })) };
}
`,
    },
    {
      step: "Release note",
      file: ".changeset/recounts.md",
      create:
        '---\n"@social-connect/mocks": minor\n"@social-connect/server": minor\n---\n\nThe service rereads the metrics of the newest posts once a day.\n',
    },
  ],
};
