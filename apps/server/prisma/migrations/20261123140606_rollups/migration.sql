-- CreateTable
CREATE TABLE "rollup" (
    "series" TEXT NOT NULL,
    "seconds" INTEGER NOT NULL,
    "owner_id" UUID NOT NULL,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "provider" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "count" BIGINT NOT NULL,

    CONSTRAINT "rollup_pkey" PRIMARY KEY ("series","seconds","owner_id","starts_at","provider","kind","outcome","code")
);

-- CreateTable
CREATE TABLE "rollup_writer" (
    "id" UUID NOT NULL,
    "batch" INTEGER NOT NULL,
    "written_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "rollup_writer_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "rollup_seconds_starts_at_idx" ON "rollup"("seconds", "starts_at");

-- CreateIndex
CREATE INDEX "rollup_writer_written_at_idx" ON "rollup_writer"("written_at");
