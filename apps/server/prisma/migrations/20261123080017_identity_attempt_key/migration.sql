-- no transaction
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "identity_attempt_new_pkey" ON "identity_attempt"("id", "application_id");
