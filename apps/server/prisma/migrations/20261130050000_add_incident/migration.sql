-- AlterTable
ALTER TABLE "provider_registration" ADD COLUMN     "looked_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "incident" (
    "id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "cause" TEXT NOT NULL,
    "provider" "social_provider",
    "detail" TEXT,
    "registration_id" UUID,
    "answer" TEXT,
    "begun_at" TIMESTAMPTZ(3) NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "failed" INTEGER,
    "total" INTEGER,
    "resumed_at" TIMESTAMPTZ(3),

    CONSTRAINT "incident_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "incident_open_key" ON "incident"("key") WHERE (ended_at IS NULL);

-- CreateIndex
CREATE INDEX "incident_ended_at_idx" ON "incident"("ended_at");
