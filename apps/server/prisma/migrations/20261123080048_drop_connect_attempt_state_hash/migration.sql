-- no transaction
DROP INDEX CONCURRENTLY IF EXISTS "connect_attempt_state_hash_key";
