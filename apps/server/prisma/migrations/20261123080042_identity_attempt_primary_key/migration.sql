ALTER TABLE "identity_attempt" DROP CONSTRAINT "identity_attempt_pkey",
DROP CONSTRAINT "identity_attempt_application_id_fkey",
ADD CONSTRAINT "identity_attempt_pkey" PRIMARY KEY USING INDEX "identity_attempt_new_pkey",
ADD CONSTRAINT "identity_attempt_application_id_fkey" FOREIGN KEY ("application_id") REFERENCES "application"("id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;
