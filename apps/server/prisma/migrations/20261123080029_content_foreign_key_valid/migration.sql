ALTER TABLE "content_item" VALIDATE CONSTRAINT "content_item_connection_id_application_id_fkey";
