ALTER TABLE "connect_attempt" DROP CONSTRAINT "connect_attempt_pkey",
DROP CONSTRAINT "connect_attempt_application_id_fkey",
ADD CONSTRAINT "connect_attempt_pkey" PRIMARY KEY USING INDEX "connect_attempt_new_pkey",
ADD CONSTRAINT "connect_attempt_application_id_fkey" FOREIGN KEY ("application_id") REFERENCES "application"("id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;
