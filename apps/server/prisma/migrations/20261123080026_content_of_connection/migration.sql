-- no transaction
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "content_item_connection_id_provider_content_id_application__key" ON "content_item"("connection_id", "provider_content_id", "application_id");
