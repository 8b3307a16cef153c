ALTER TABLE "connection" VALIDATE CONSTRAINT "connection_application_id_fkey";
