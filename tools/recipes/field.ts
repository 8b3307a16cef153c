import type { Recipe } from "./edits.ts";

/** Two of the three providers give the length of a video. The third has no such field. */
export const FIELD: Recipe = {
  name: "field",
  mostFiles: 15,
  edits: [
    {
      step: "The field, and its value for a post without content",
      file: "packages/domain/src/content/contentFields.ts",
      after: "readonly description: string | null;",
      insert: "  readonly durationSeconds: number | null;",
    },
    {
      step: "The field, and its value for a post without content",
      file: "packages/domain/src/content/contentFields.ts",
      after: "description: null,",
      insert: "  durationSeconds: null,",
    },
    {
      step: "Providers that do not have it",
      file: "packages/domain/src/providers/providerTraits.ts",
      replace: 'absentFields: ["title"]',
      by: 'absentFields: ["title", "durationSeconds"]',
    },
    {
      step: "Column (`pnpm migration` writes the migration)",
      file: "apps/server/prisma/schema.prisma",
      before: '@map("published_at")',
      insert: '  durationSeconds   Int?         @map("duration_seconds")',
    },
    {
      step: "Field of the API with its description",
      file: "apps/server/src/graphql/consumer/content.ts",
      before: 'publishedAt: t.expose("publishedAt"',
      insert:
        '    durationSeconds: t.exposeInt("durationSeconds", {\n      description: "The length of a video in seconds; always null for PROVIDER_C.",\n      nullable: true,\n    }),',
    },
    {
      step: "Reading it at each provider that has it",
      file: "apps/server/src/providers/provider-a/wire.ts",
      after: "status: coerceObject({ uploadStatus",
      insert: "  contentDetails: coerceObject({ duration: coerceString }),",
    },
    {
      step: "Reading it at each provider that has it",
      file: "apps/server/src/providers/provider-a/observations.ts",
      after: "description: video.snippet.description,",
      insert: "    durationSeconds: secondsOf(video.contentDetails.duration),",
    },
    {
      step: "Reading it at each provider that has it",
      file: "apps/server/src/providers/provider-a/observations.ts",
      before: "function watchUrl(",
      insert: `/** ISO 8601, for example PT1H2M3S; a stream that has not ended has P0D. */
function secondsOf(duration: string | null): number | null {
  const match = /^P(?:(\\d+)D)?(?:T(?:(\\d+)H)?(?:(\\d+)M)?(?:(\\d+)S)?)?$/.exec(duration ?? "");
  if (match === null) return null;
  const [, days = 0, hours = 0, minutes = 0, seconds = 0] = match;
  return ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds) || null;
}
`,
    },
    {
      step: "Reading it at each provider that has it",
      file: "apps/server/src/providers/provider-b/wire.ts",
      after: "  share_url: coerceString,",
      insert: "  duration: coerceNumber,",
    },
    {
      step: "Reading it at each provider that has it",
      file: "apps/server/src/providers/provider-b/observations.ts",
      after: "description: video.video_description,",
      insert: "    durationSeconds: Number.isSafeInteger(video.duration) ? video.duration : null,",
    },
    {
      step: "Tests of the adapters",
      file: "apps/server/src/providers/provider-a/adapter.test.ts",
      after: 'from "./testAnswers.ts";',
      insert: `
it("reads the length of a video", async () => {
  const { upstream, read } = setUp(list([{ id: "abc123", contentDetails: { duration: "PT1H2M3S" } }]));
  const { items } = await providerA.readContent(read(), { providerContentIds: ["abc123"], withMetrics: false });
  const [item] = items;
  expect(item?.durationSeconds).toBe(3_723);
  expect(upstream.requests[0]?.url.searchParams.get("part")).toContain("contentDetails");
});`,
    },
    {
      step: "Tests of the adapters",
      file: "apps/server/src/providers/provider-b/adapter.test.ts",
      after: "thumbnailUrl: item.cover_image_url,",
      insert: "      durationSeconds: item.duration ?? null,",
    },
    {
      step: "Mocks",
      file: "packages/mocks/src/providers/posts.ts",
      after: "readonly popularity: ",
      insert: "  readonly durationSeconds: number;",
    },
    {
      step: "Mocks",
      file: "packages/mocks/src/providers/posts.ts",
      after: "popularity: popularity(account, random, number),",
      insert: "    durationSeconds: random.int(8, 600),",
    },
    {
      step: "Mocks",
      file: "packages/mocks/src/providers/posts.ts",
      after: "popularity: popularity(account, random, 1),",
      insert: "    durationSeconds: random.int(8, 600),",
    },
    {
      step: "Mocks",
      file: "packages/mocks/src/providers/observations.ts",
      after: "description: post.text,",
      insert: "    durationSeconds: post.durationSeconds,",
    },
    {
      step: "Conformance suite",
      file: "packages/conformance/src/description/consumerSchemaTables.ts",
      before: 'publishedAt: "DateTime",',
      insert: '    durationSeconds: "Int",',
    },
    {
      step: "Conformance suite",
      file: "packages/conformance/src/description/providers.ts",
      replace: 'absentFields: ["title"]',
      by: 'absentFields: ["title", "durationSeconds"]',
    },
    {
      step: "Release note",
      file: ".changeset/post-length.md",
      create:
        '---\n"@social-connect/contract": minor\n"@social-connect/sdk": minor\n"@social-connect/mocks": minor\n"@social-connect/server": minor\n---\n\nA post has `durationSeconds`, the length of its video.\n',
    },
  ],
};
