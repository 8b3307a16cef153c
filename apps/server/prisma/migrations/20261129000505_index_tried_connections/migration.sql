-- no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "connection_registration_id_tried_at_idx" ON "connection"("registration_id", "tried_at");
