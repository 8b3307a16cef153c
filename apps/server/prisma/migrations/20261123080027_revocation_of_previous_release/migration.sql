-- no transaction
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "provider_revocation_revocation_id_key_hash_key" ON "provider_revocation"("revocation_id", "key_hash");
