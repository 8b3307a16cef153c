ALTER TABLE "content_item" ADD CONSTRAINT "content_item_application_id_check" CHECK ("application_id" IS NOT NULL) NOT VALID;
