-- AlterTable
ALTER TABLE "connect_attempt" ADD COLUMN     "exchange_generation" BIGINT;

-- AlterTable
ALTER TABLE "provider_grant" ADD COLUMN     "owner_sealed" TEXT;

-- CreateTable
CREATE TABLE "provider_revocation" (
    "revocation_id" UUID NOT NULL,
    "key_hash" BYTEA NOT NULL,
    "application_id" UUID NOT NULL,
    "provider" "social_provider" NOT NULL,
    "generation" BIGSERIAL NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "provider_revocation_pkey" PRIMARY KEY ("revocation_id","key_hash")
);

-- CreateIndex
CREATE INDEX "provider_revocation_key_hash_idx" ON "provider_revocation"("key_hash");

-- CreateIndex
CREATE INDEX "provider_revocation_application_id_provider_generation_idx" ON "provider_revocation"("application_id", "provider", "generation");

-- CreateIndex
CREATE INDEX "provider_revocation_ended_at_idx" ON "provider_revocation"("ended_at");

-- AddForeignKey
ALTER TABLE "provider_revocation" ADD CONSTRAINT "provider_revocation_application_id_fkey" FOREIGN KEY ("application_id") REFERENCES "application"("id") ON DELETE CASCADE ON UPDATE CASCADE;
