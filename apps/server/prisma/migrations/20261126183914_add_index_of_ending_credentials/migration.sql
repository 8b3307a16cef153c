-- no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "provider_grant_refresh_token_expires_at_idx" ON "provider_grant"("refresh_token_expires_at") WHERE (refresh_token_expires_at IS NOT NULL);
