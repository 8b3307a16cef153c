ALTER TABLE "provider_grant" ADD COLUMN     "application_id" UUID;
