-- A constant default: no row is written. Rows of earlier versions have it until the sweep expireContent reaches them.
ALTER TABLE "content_item" ADD COLUMN     "observed_since" TIMESTAMPTZ(3) NOT NULL DEFAULT '-infinity'::timestamp with time zone;

ALTER TABLE "content_item" ADD CONSTRAINT "content_item_observed_since_check" CHECK ("observed_since" <= "observed_at") NOT VALID;

-- A scan writes all posts of an account in one transaction, so a page needs room for a second, slightly longer
-- version of each of its rows.
ALTER TABLE "content_item" SET (fillfactor = 48, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
