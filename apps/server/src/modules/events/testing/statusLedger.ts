import type { Pool } from "pg";

/**
 * Records, by triggers, each status that a transaction changes and each event that it stores. Independent of the code that
 * tells, so that a path which forgets to is found.
 */
export async function installLedger(pool: Pool): Promise<void> {
  await pool.query(`
    CREATE TABLE IF NOT EXISTS ledger (source text, row_id uuid, type text, at xid8 DEFAULT pg_current_xact_id());
    CREATE OR REPLACE FUNCTION note_status() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      before text := CASE WHEN TG_OP = 'UPDATE' THEN OLD.status::text END;
      found text;
    BEGIN
      IF before IS NOT DISTINCT FROM NEW.status::text THEN RETURN NULL; END IF;
      IF TG_TABLE_NAME = 'connect_attempt' THEN
        found := CASE NEW.status::text WHEN 'COMPLETED' THEN 'connect.completed' WHEN 'DENIED' THEN 'connect.denied'
                   WHEN 'FAILED' THEN 'connect.failed' WHEN 'EXPIRED' THEN 'connect.expired' END;
      ELSIF TG_TABLE_NAME = 'identity_attempt' THEN
        found := CASE NEW.status::text WHEN 'COMPLETED' THEN 'identity.completed' WHEN 'DENIED' THEN 'identity.denied'
                   WHEN 'FAILED' THEN 'identity.failed' END;
      ELSIF TG_TABLE_NAME = 'connection' THEN
        found := CASE NEW.status::text WHEN 'CONNECTED' THEN CASE WHEN before IS NOT NULL THEN 'connection.restored' END
                   WHEN 'SUSPENDED' THEN 'connection.suspended' WHEN 'RECONNECT_REQUIRED' THEN 'connection.reconnect_required'
                   WHEN 'DISCONNECTED' THEN 'connection.disconnected' END;
      END IF;
      IF found IS NOT NULL THEN INSERT INTO ledger (source, row_id, type) VALUES ('change', NEW.id, found); END IF;
      RETURN NULL;
    END $$;
    CREATE OR REPLACE FUNCTION note_job() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'UPDATE' THEN IF OLD.status = NEW.status THEN RETURN NULL; END IF; END IF;
      IF NEW.status NOT IN ('SUCCEEDED', 'FAILED') THEN RETURN NULL; END IF;
      IF NEW.kind IN ('REVOKE', 'ERASE') THEN
        INSERT INTO ledger (source, row_id, type) VALUES ('change', NEW.id, 'receipt.' || lower(NEW.kind::text));
      ELSIF NEW.requested OR NOT NEW.background THEN
        INSERT INTO ledger (source, row_id, type) VALUES ('change', NEW.id, 'job.' || lower(NEW.status::text));
      END IF;
      RETURN NULL;
    END $$;
    CREATE OR REPLACE FUNCTION note_event() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO ledger (source, row_id, type)
      VALUES ('event', coalesce(NEW.job_id, NEW.attempt_id, NEW.connection_id), NEW.type);
      RETURN NULL;
    END $$;`);
  for (const table of ["connect_attempt", "identity_attempt", "connection"])
    await pool.query(
      `CREATE TRIGGER note_status AFTER INSERT OR UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION note_status()`,
    );
  await pool.query("CREATE TRIGGER note_job AFTER INSERT OR UPDATE ON job FOR EACH ROW EXECUTE FUNCTION note_job()");
  await pool.query("CREATE TRIGGER note_event AFTER INSERT ON event FOR EACH ROW EXECUTE FUNCTION note_event()");
}

/** The types of the changes, in their order, and those of changes and events that have no counterpart in their transaction. */
export async function readLedger(pool: Pool): Promise<{ readonly told: string[]; readonly unmatched: string[] }> {
  const { rows } = await pool.query<{ source: string; type: string; matched: boolean }>(
    `SELECT one.source, one.type, (SELECT count(*) = 1 FROM ledger other
             WHERE other.source <> one.source AND other.row_id = one.row_id AND other.type = one.type AND other.at = one.at) AS matched
       FROM ledger one ORDER BY one.at, one.type`,
  );
  await pool.query("TRUNCATE ledger");
  return {
    told: rows.filter(({ source }) => source === "event").map(({ type }) => type),
    unmatched: rows.filter(({ matched }) => !matched).map(({ source, type }) => `${source} ${type}`),
  };
}
