-- no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "audit_entry_target_id_at_id_idx" ON "audit_entry"("target_id", "at" DESC, "id" DESC);
