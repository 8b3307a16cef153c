-- no transaction
-- Locks the connection before its posts, as the service does. Each batch is a transaction.
DO $$
DECLARE
  owner record;
  changed bigint;
BEGIN
  FOR owner IN SELECT id, application_id FROM connection LOOP
    LOOP
      PERFORM FROM connection WHERE id = owner.id FOR NO KEY UPDATE;
      UPDATE content_item SET application_id = owner.application_id WHERE id IN (
        SELECT id FROM content_item WHERE connection_id = owner.id AND application_id IS NULL LIMIT 1000);
      GET DIAGNOSTICS changed = ROW_COUNT;
      COMMIT;
      EXIT WHEN changed < 1000;
    END LOOP;
  END LOOP;
END $$;
