-- no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "content_item_expired_connection_id_observed_since_idx" ON "content_item"("connection_id", "observed_since") WHERE (reason = 'EXPIRED');
