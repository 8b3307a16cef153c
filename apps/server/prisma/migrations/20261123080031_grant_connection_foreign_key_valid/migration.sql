ALTER TABLE "provider_grant" VALIDATE CONSTRAINT "provider_grant_connection_id_application_id_fkey";
