-- no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "audit_entry_target_type_at_id_idx" ON "audit_entry"("target_type", "at" DESC, "id" DESC);
