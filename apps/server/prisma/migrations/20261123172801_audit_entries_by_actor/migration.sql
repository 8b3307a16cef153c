-- no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "audit_entry_actor_at_id_idx" ON "audit_entry"("actor", "at" DESC, "id" DESC);
