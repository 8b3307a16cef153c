-- no transaction
DROP INDEX CONCURRENTLY IF EXISTS "provider_grant_connection_id_key";
