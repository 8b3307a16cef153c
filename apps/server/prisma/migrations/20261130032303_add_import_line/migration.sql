-- CreateEnum
CREATE TYPE "import_line_status" AS ENUM ('PENDING', 'CONNECTED', 'ALREADY_CONNECTED', 'REFUSED');

-- AlterTable
ALTER TABLE "provider_grant" ADD COLUMN     "capabilities" "capability"[] DEFAULT ARRAY[]::"capability"[],
ADD COLUMN     "import_line_id" UUID;

-- CreateTable
CREATE TABLE "import_line" (
    "id" UUID NOT NULL,
    "application_id" UUID NOT NULL,
    "line_hash" BYTEA NOT NULL,
    "tenant_key" TEXT NOT NULL,
    "external_subject_id" TEXT COLLATE "C" NOT NULL,
    "provider" "social_provider" NOT NULL,
    "status" "import_line_status" NOT NULL,
    "code" TEXT,
    "connection_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "import_line_pkey" PRIMARY KEY ("id","application_id")
);

-- CreateIndex
CREATE INDEX "import_line_external_subject_id_application_id_tenant_key_idx" ON "import_line"("external_subject_id", "application_id", "tenant_key");

-- CreateIndex
CREATE INDEX "import_line_created_at_idx" ON "import_line"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "import_line_line_hash_application_id_key" ON "import_line"("line_hash", "application_id");

-- AddForeignKey
ALTER TABLE "provider_grant" ADD CONSTRAINT "provider_grant_import_line_id_application_id_fkey" FOREIGN KEY ("import_line_id", "application_id") REFERENCES "import_line"("id", "application_id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;

-- AddForeignKey
ALTER TABLE "import_line" ADD CONSTRAINT "import_line_application_id_fkey" FOREIGN KEY ("application_id") REFERENCES "application"("id") ON DELETE CASCADE ON UPDATE NO ACTION;
