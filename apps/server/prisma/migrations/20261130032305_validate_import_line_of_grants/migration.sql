-- ValidateForeignKey
ALTER TABLE "provider_grant" VALIDATE CONSTRAINT "provider_grant_import_line_id_application_id_fkey";
