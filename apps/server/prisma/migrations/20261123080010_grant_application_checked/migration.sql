ALTER TABLE "provider_grant" VALIDATE CONSTRAINT "provider_grant_application_id_check";
