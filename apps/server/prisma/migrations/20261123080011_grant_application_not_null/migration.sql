ALTER TABLE "provider_grant" ALTER COLUMN "application_id" SET NOT NULL;
ALTER TABLE "provider_grant" DROP CONSTRAINT "provider_grant_application_id_check";
