-- CreateEnum
CREATE TYPE "event_delivery_status" AS ENUM ('WAITING', 'SUCCEEDED', 'FAILED');

-- CreateTable
CREATE TABLE "event_endpoint" (
    "id" UUID NOT NULL,
    "application_id" UUID NOT NULL,
    "url" TEXT NOT NULL,
    "types" TEXT[],
    "secret_sealed" TEXT NOT NULL,
    "previous_secret_sealed" TEXT,
    "previous_secret_until" TIMESTAMPTZ(3),
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "turned_off_reason" TEXT,
    "turned_off_at" TIMESTAMPTZ(3),
    "failing_since" TIMESTAMPTZ(3),
    "last_tried_at" TIMESTAMPTZ(3),
    "last_succeeded_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "event_endpoint_pkey" PRIMARY KEY ("id","application_id")
);

-- CreateTable
CREATE TABLE "event" (
    "id" UUID NOT NULL,
    "application_id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "provider" "social_provider",
    "tenant_key" TEXT,
    "external_subject_id" TEXT COLLATE "C",
    "connection_id" UUID,
    "attempt_id" UUID,
    "job_id" UUID,
    "status" TEXT,
    "code" TEXT,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "event_pkey" PRIMARY KEY ("id","application_id")
);

-- CreateTable
CREATE TABLE "event_delivery" (
    "id" UUID NOT NULL,
    "application_id" UUID NOT NULL,
    "event_id" UUID NOT NULL,
    "endpoint_id" UUID NOT NULL,
    "status" "event_delivery_status" NOT NULL,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "next_try_at" TIMESTAMPTZ(3),
    "last_tried_at" TIMESTAMPTZ(3),
    "response_status" INTEGER,
    "problem" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "event_delivery_pkey" PRIMARY KEY ("id","application_id")
);

-- CreateIndex
CREATE INDEX "event_endpoint_application_id_idx" ON "event_endpoint"("application_id");

-- CreateIndex
CREATE INDEX "event_endpoint_failing_since_idx" ON "event_endpoint"("failing_since") WHERE (failing_since IS NOT NULL OR turned_off_reason IS NOT NULL);

-- CreateIndex
CREATE INDEX "event_application_id_occurred_at_id_idx" ON "event"("application_id", "occurred_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "event_application_id_type_occurred_at_id_idx" ON "event"("application_id", "type", "occurred_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "event_external_subject_id_application_id_tenant_key_idx" ON "event"("external_subject_id", "application_id", "tenant_key");

-- CreateIndex
CREATE INDEX "event_connection_id_idx" ON "event"("connection_id");

-- CreateIndex
CREATE INDEX "event_occurred_at_idx" ON "event"("occurred_at");

-- CreateIndex
CREATE INDEX "event_receipt_application_id_idx" ON "event"("application_id") WHERE (external_subject_id IS NOT NULL AND type IN ('receipt.revoke', 'receipt.erase'));

-- CreateIndex
CREATE INDEX "event_delivery_endpoint_id_created_at_idx" ON "event_delivery"("endpoint_id", "created_at");

-- CreateIndex
CREATE INDEX "event_delivery_problem_idx" ON "event_delivery"("application_id", "event_id") WHERE (problem IS NOT NULL);

-- CreateIndex
CREATE INDEX "event_delivery_waiting_endpoint_id_next_try_at_idx" ON "event_delivery"("endpoint_id", "next_try_at") WHERE (status = 'WAITING');

-- CreateIndex
CREATE INDEX "event_delivery_waiting_next_try_at_idx" ON "event_delivery"("next_try_at") WHERE (status = 'WAITING');

-- CreateIndex
CREATE UNIQUE INDEX "event_delivery_event_id_endpoint_id_application_id_key" ON "event_delivery"("event_id", "endpoint_id", "application_id");

-- AddForeignKey
ALTER TABLE "event_endpoint" ADD CONSTRAINT "event_endpoint_application_id_fkey" FOREIGN KEY ("application_id") REFERENCES "application"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "event" ADD CONSTRAINT "event_application_id_fkey" FOREIGN KEY ("application_id") REFERENCES "application"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "event_delivery" ADD CONSTRAINT "event_delivery_event_id_application_id_fkey" FOREIGN KEY ("event_id", "application_id") REFERENCES "event"("id", "application_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "event_delivery" ADD CONSTRAINT "event_delivery_endpoint_id_application_id_fkey" FOREIGN KEY ("endpoint_id", "application_id") REFERENCES "event_endpoint"("id", "application_id") ON DELETE CASCADE ON UPDATE NO ACTION;
