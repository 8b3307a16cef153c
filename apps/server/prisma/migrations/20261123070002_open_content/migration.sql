-- no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "content_item_open_observed_since_idx" ON "content_item"("observed_since") WHERE (reason IS DISTINCT FROM 'EXPIRED' OR observed_since = '-infinity');
