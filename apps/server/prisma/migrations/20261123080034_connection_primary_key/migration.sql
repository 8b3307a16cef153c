ALTER TABLE "connection" DROP CONSTRAINT "connection_pkey",
DROP CONSTRAINT "connection_application_id_fkey",
ADD CONSTRAINT "connection_pkey" PRIMARY KEY USING INDEX "connection_new_pkey",
ADD CONSTRAINT "connection_application_id_fkey" FOREIGN KEY ("application_id") REFERENCES "application"("id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;
