-- CreateTable
CREATE TABLE "data_deletion" (
    "id" UUID NOT NULL,
    "code_hash" BYTEA NOT NULL,
    "provider" "social_provider" NOT NULL,
    "unfinished" JSONB NOT NULL,
    "connections" INTEGER NOT NULL DEFAULT 0,
    "posts" INTEGER NOT NULL DEFAULT 0,
    "app_may_remain" BOOLEAN NOT NULL DEFAULT false,
    "requested_at" TIMESTAMPTZ(3) NOT NULL,
    "erased_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "data_deletion_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "data_deletion_code_hash_key" ON "data_deletion"("code_hash");

-- CreateIndex
CREATE INDEX "data_deletion_requested_at_id_idx" ON "data_deletion"("requested_at", "id");

-- CreateIndex
CREATE INDEX "data_deletion_unfinished_idx" ON "data_deletion"("requested_at", "id") WHERE (finished_at IS NULL);
