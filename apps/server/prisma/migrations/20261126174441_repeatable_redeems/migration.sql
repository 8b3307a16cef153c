-- no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "identity_attempt_repeatable_redeemed_at_idx" ON "identity_attempt"("redeemed_at") WHERE (redeem_key_hash IS NOT NULL);
