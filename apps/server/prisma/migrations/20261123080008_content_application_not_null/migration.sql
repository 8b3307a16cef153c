ALTER TABLE "content_item" ALTER COLUMN "application_id" SET NOT NULL;
ALTER TABLE "content_item" DROP CONSTRAINT "content_item_application_id_check";
