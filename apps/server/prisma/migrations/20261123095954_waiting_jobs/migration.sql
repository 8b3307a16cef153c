-- no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "job_status_next_retry_at_created_at_idx" ON "job"("status", "next_retry_at", "created_at");
