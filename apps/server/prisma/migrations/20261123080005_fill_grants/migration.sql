-- no transaction
-- One row in each transaction, because the service locks two grants in any order. A grant whose attempt was deleted gets its
-- own id: its application is unknown. It is revoked within a day.
DO $$
DECLARE
  due uuid;
BEGIN
  FOR due IN SELECT id FROM provider_grant WHERE application_id IS NULL LOOP
    UPDATE provider_grant AS stored
       SET application_id = coalesce((SELECT application_id FROM connection WHERE id = stored.connection_id),
                                     (SELECT application_id FROM connect_attempt WHERE id = stored.attempt_id), stored.id)
     WHERE id = due;
    COMMIT;
  END LOOP;
END $$;
