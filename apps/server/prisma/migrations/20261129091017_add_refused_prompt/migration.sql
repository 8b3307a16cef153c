-- CreateTable
CREATE TABLE "refused_prompt" (
    "issuer" TEXT NOT NULL,
    "prompt" TEXT NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "refused_prompt_pkey" PRIMARY KEY ("issuer","prompt")
);
