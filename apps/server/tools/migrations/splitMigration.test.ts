import { expect, test } from "vitest";
import { findUnsafe } from "./rules.ts";
import { splitMigration } from "./splitMigration.ts";

const WRITTEN_BY_PRISMA = `-- DropIndex
DROP INDEX "post_old_idx";

-- AlterTable
ALTER TABLE "post" ADD COLUMN     "seen_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "tag" (
    "id" UUID NOT NULL,

    CONSTRAINT "tag_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "tag_id_idx" ON "tag"("id");

-- CreateIndex
CREATE UNIQUE INDEX "post_seen_at_key" ON "post"("seen_at") WHERE (title IS NOT NULL);
`;

test("indexes of existing tables become migrations that run beside the service", async () => {
  const parts = splitMigration(WRITTEN_BY_PRISMA);
  expect(parts).toEqual([
    expect.stringMatching(/^-- AlterTable\n[\s\S]+CREATE TABLE[\s\S]+"tag_id_idx" ON "tag"\("id"\);\n$/),
    '-- no transaction\nCREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "post_seen_at_key" ON "post"("seen_at") WHERE (title IS NOT NULL);\n',
    '-- no transaction\nDROP INDEX CONCURRENTLY IF EXISTS "post_old_idx";\n',
  ]);
  const migrations = parts.map((sql, index) => ({ name: `2_${index}`, sql }));
  expect(await findUnsafe(migrations)).toEqual([]);
});

test("a migration without such indexes stays whole", () => {
  const sql = '-- AlterTable\nALTER TABLE "post" ADD COLUMN     "seen_at" TIMESTAMPTZ(3);\n';
  expect(splitMigration(sql)).toEqual([sql]);
});
