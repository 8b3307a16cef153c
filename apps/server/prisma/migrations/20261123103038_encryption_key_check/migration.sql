-- CreateTable
CREATE TABLE "encryption_key_check" (
    "key_id" TEXT NOT NULL,
    "sealed" TEXT NOT NULL,
    "first_used_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "encryption_key_check_pkey" PRIMARY KEY ("key_id")
);
