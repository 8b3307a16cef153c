-- The previous release inserts posts without the column.
CREATE FUNCTION "content_item_application_id"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT application_id INTO NEW.application_id FROM connection WHERE id = NEW.connection_id;
  RETURN NEW;
END $$;

CREATE TRIGGER "content_item_application_id" BEFORE INSERT ON "content_item" FOR EACH ROW
  WHEN (NEW.application_id IS NULL) EXECUTE FUNCTION "content_item_application_id"();
