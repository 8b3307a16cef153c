-- no transaction
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "provider_revocation_new_pkey" ON "provider_revocation"("revocation_id", "key_hash", "application_id");
