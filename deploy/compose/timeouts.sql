-- A pooler in transaction mode cannot set these for a session: docs/operations/database.md, Pooler.
ALTER ROLE social_connect SET statement_timeout = '10s';
ALTER ROLE social_connect SET idle_in_transaction_session_timeout = '30s';
ALTER ROLE social_connect SET TimeZone = 'UTC';
