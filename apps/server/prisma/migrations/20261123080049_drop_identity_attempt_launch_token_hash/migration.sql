-- no transaction
DROP INDEX CONCURRENTLY IF EXISTS "identity_attempt_launch_token_hash_key";
