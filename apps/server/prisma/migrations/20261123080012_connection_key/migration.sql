-- no transaction
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "connection_new_pkey" ON "connection"("id", "application_id");
