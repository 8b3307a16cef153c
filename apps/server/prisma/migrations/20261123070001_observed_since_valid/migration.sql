ALTER TABLE "content_item" VALIDATE CONSTRAINT "content_item_observed_since_check";
