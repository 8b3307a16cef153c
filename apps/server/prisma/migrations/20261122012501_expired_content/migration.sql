-- DropIndex
DROP INDEX "content_item_connection_id_observed_at_idx";

-- CreateIndex
CREATE INDEX "content_item_connection_id_observed_at_idx" ON "content_item"("connection_id", "observed_at");
