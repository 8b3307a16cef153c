ALTER TABLE "provider_grant" DROP CONSTRAINT "provider_grant_connection_id_fkey",
ADD CONSTRAINT "provider_grant_connection_id_application_id_fkey" FOREIGN KEY ("connection_id", "application_id") REFERENCES "connection"("id", "application_id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;
