-- no transaction
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "revoke_settlement_new_pkey" ON "revoke_settlement"("revoke_job_id", "application_id");
