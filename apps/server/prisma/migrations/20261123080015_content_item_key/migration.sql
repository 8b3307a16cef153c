-- no transaction
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "content_item_new_pkey" ON "content_item"("id", "application_id");
