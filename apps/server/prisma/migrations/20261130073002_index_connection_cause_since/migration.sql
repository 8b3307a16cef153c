-- no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "connection_cause_since_idx" ON "connection"("cause_since", "id") WHERE (cause IS NOT NULL);
