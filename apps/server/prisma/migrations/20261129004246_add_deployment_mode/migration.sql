-- CreateTable
CREATE TABLE "deployment_mode" (
    "id" INTEGER NOT NULL,
    "mode" TEXT NOT NULL,
    "recorded_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "deployment_mode_pkey" PRIMARY KEY ("id")
);
