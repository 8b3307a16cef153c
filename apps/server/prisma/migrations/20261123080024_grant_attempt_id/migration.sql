-- no transaction
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "provider_grant_attempt_id_application_id_key" ON "provider_grant"("attempt_id", "application_id");
