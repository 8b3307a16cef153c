-- no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "content_item_open_connection_id_observed_since_idx" ON "content_item"("connection_id", "observed_since") WHERE (reason IS DISTINCT FROM 'EXPIRED' OR observed_since = '-infinity');
