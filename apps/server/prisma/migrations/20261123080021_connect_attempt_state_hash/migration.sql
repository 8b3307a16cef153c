-- no transaction
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "connect_attempt_state_hash_application_id_key" ON "connect_attempt"("state_hash", "application_id");
