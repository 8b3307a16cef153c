-- no transaction
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "provider_grant_import_line_id_application_id_key" ON "provider_grant"("import_line_id", "application_id");
