ALTER TABLE "provider_revocation" DROP CONSTRAINT "provider_revocation_pkey",
DROP CONSTRAINT "provider_revocation_application_id_fkey",
ADD CONSTRAINT "provider_revocation_pkey" PRIMARY KEY USING INDEX "provider_revocation_new_pkey",
ADD CONSTRAINT "provider_revocation_application_id_fkey" FOREIGN KEY ("application_id") REFERENCES "application"("id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;
