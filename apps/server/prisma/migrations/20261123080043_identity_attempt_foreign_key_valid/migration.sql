ALTER TABLE "identity_attempt" VALIDATE CONSTRAINT "identity_attempt_application_id_fkey";
