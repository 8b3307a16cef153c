-- no transaction
DROP INDEX CONCURRENTLY IF EXISTS "provider_grant_attempt_id_key";
