ALTER TABLE "content_item" VALIDATE CONSTRAINT "content_item_application_id_check";
