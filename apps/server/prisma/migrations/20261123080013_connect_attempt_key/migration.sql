-- no transaction
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "connect_attempt_new_pkey" ON "connect_attempt"("id", "application_id");
