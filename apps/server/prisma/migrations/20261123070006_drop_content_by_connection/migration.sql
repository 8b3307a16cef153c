-- no transaction
DROP INDEX CONCURRENTLY IF EXISTS "content_item_connection_id_observed_at_idx";
