-- no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "job_correlation_id_idx" ON "job"("correlation_id") WHERE (correlation_id IS NOT NULL);
