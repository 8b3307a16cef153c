-- no transaction
DROP INDEX CONCURRENTLY IF EXISTS "connect_attempt_launch_token_hash_key";
