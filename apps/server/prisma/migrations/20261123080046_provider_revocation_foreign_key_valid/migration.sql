ALTER TABLE "provider_revocation" VALIDATE CONSTRAINT "provider_revocation_application_id_fkey";
