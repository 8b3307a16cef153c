-- AlterTable
ALTER TABLE "connection" ADD COLUMN     "call_refusals" JSONB NOT NULL DEFAULT '{}',
ADD COLUMN     "tried_at" TIMESTAMPTZ(3);
