-- no transaction
DROP INDEX CONCURRENTLY IF EXISTS "job_status_next_retry_at_idx";
