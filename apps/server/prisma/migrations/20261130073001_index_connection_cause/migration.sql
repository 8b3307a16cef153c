-- no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "connection_cause_idx" ON "connection"("cause", "cause_since", "id") WHERE (cause IS NOT NULL);
