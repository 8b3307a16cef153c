ALTER TABLE "provider_grant" ADD CONSTRAINT "provider_grant_application_id_check" CHECK ("application_id" IS NOT NULL) NOT VALID;
