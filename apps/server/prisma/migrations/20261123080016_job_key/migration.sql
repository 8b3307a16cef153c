-- no transaction
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "job_new_pkey" ON "job"("id", "application_id");
