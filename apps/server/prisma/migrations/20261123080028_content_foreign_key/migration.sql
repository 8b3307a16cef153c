ALTER TABLE "content_item" DROP CONSTRAINT "content_item_connection_id_fkey",
ADD CONSTRAINT "content_item_connection_id_application_id_fkey" FOREIGN KEY ("connection_id", "application_id") REFERENCES "connection"("id", "application_id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;
