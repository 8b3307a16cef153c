ALTER TABLE "provider_grant" DROP CONSTRAINT "provider_grant_attempt_id_fkey",
ADD CONSTRAINT "provider_grant_attempt_id_application_id_fkey" FOREIGN KEY ("attempt_id", "application_id") REFERENCES "connect_attempt"("id", "application_id") ON DELETE SET NULL ("attempt_id") ON UPDATE NO ACTION NOT VALID;
