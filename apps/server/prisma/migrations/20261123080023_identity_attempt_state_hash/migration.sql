-- no transaction
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "identity_attempt_state_hash_application_id_key" ON "identity_attempt"("state_hash", "application_id");
