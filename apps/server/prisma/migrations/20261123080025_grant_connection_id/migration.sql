-- no transaction
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "provider_grant_connection_id_application_id_key" ON "provider_grant"("connection_id", "application_id");
