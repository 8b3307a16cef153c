-- no transaction
DROP INDEX CONCURRENTLY IF EXISTS "content_item_reason_observed_at_idx";
