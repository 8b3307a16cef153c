-- no transaction
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "provider_grant_new_pkey" ON "provider_grant"("id", "application_id");
