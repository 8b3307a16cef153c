ALTER TABLE "job" VALIDATE CONSTRAINT "job_application_id_fkey";
