-- CreateTable
CREATE TABLE "sweep_state" (
    "name" TEXT NOT NULL,
    "ran_at" TIMESTAMPTZ(3) NOT NULL,
    "succeeded_at" TIMESTAMPTZ(3),
    "failed_at" TIMESTAMPTZ(3),
    "error" TEXT,
    "handled" INTEGER NOT NULL,
    "remaining" INTEGER,

    CONSTRAINT "sweep_state_pkey" PRIMARY KEY ("name")
);

-- CreateIndex
CREATE INDEX "identity_attempt_status_expires_at_idx" ON "identity_attempt"("status", "expires_at");
