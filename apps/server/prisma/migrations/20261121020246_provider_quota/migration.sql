-- DropIndex
DROP INDEX "content_item_observed_at_idx";

-- AlterTable
ALTER TABLE "provider_registration" ADD COLUMN     "quota" JSONB;

-- CreateTable
CREATE TABLE "provider_quota" (
    "registration_id" UUID NOT NULL,
    "budget" TEXT NOT NULL,
    "window_start" TIMESTAMPTZ(3) NOT NULL,
    "window_ends_at" TIMESTAMPTZ(3) NOT NULL,
    "used" INTEGER NOT NULL,

    CONSTRAINT "provider_quota_pkey" PRIMARY KEY ("registration_id","budget","window_start")
);

-- CreateIndex
CREATE INDEX "provider_quota_window_ends_at_idx" ON "provider_quota"("window_ends_at");

-- CreateIndex
CREATE INDEX "connect_attempt_status_expires_at_idx" ON "connect_attempt"("status", "expires_at");

-- CreateIndex
CREATE INDEX "connection_profile_observed_at_idx" ON "connection"("profile_observed_at");

-- CreateIndex
CREATE INDEX "provider_grant_status_created_at_idx" ON "provider_grant"("status", "created_at");

-- CreateIndex
CREATE INDEX "content_item_reason_observed_at_idx" ON "content_item"("reason", "observed_at");

-- AddForeignKey
ALTER TABLE "provider_quota" ADD CONSTRAINT "provider_quota_registration_id_fkey" FOREIGN KEY ("registration_id") REFERENCES "provider_registration"("id") ON DELETE CASCADE ON UPDATE CASCADE;
