-- Every table that grows gets the application in its key: the column by which Citus distributes it. First the new column.
ALTER TABLE "content_item" ADD COLUMN     "application_id" UUID;
