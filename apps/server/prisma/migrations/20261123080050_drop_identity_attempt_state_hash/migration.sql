-- no transaction
DROP INDEX CONCURRENTLY IF EXISTS "identity_attempt_state_hash_key";
