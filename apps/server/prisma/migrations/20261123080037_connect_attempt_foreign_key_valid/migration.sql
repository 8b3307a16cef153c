ALTER TABLE "connect_attempt" VALIDATE CONSTRAINT "connect_attempt_application_id_fkey";
