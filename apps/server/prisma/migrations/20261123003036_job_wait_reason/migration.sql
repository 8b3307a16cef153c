-- CreateEnum
CREATE TYPE "wait_reason" AS ENUM ('RATE_LIMITED', 'QUOTA', 'PROVIDER_UNAVAILABLE', 'PAUSED', 'BEHIND_OTHER_WORK');

-- AlterTable
ALTER TABLE "job" ADD COLUMN     "wait_reason" "wait_reason";
-- Queued jobs without a retry time wait for a worker.
UPDATE "job" SET "wait_reason" = 'BEHIND_OTHER_WORK' WHERE "status" = 'QUEUED' AND "next_retry_at" IS NULL;
