ALTER TABLE "job" DROP CONSTRAINT "job_pkey",
DROP CONSTRAINT "job_application_id_fkey",
ADD CONSTRAINT "job_pkey" PRIMARY KEY USING INDEX "job_new_pkey",
ADD CONSTRAINT "job_application_id_fkey" FOREIGN KEY ("application_id") REFERENCES "application"("id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;
