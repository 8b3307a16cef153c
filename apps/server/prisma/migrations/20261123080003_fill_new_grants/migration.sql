-- The previous release inserts grants without the column.
CREATE FUNCTION "provider_grant_application_id"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.application_id := coalesce((SELECT application_id FROM connection WHERE id = NEW.connection_id),
                                 (SELECT application_id FROM connect_attempt WHERE id = NEW.attempt_id), NEW.id);
  RETURN NEW;
END $$;

CREATE TRIGGER "provider_grant_application_id" BEFORE INSERT ON "provider_grant" FOR EACH ROW
  WHEN (NEW.application_id IS NULL) EXECUTE FUNCTION "provider_grant_application_id"();
