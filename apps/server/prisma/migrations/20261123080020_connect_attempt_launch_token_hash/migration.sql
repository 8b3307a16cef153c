-- no transaction
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "connect_attempt_launch_token_hash_application_id_key" ON "connect_attempt"("launch_token_hash", "application_id");
