-- no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "job_erase_application_id_created_at_idx" ON "job"("application_id", "created_at") WHERE (kind = 'ERASE');
