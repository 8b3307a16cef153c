import type { Pool } from "pg";
import { CONNECT_ATTEMPT_TRANSITIONS, CONNECTION_TRANSITIONS } from "../../packages/domain/src/index.ts";

/**
 * Triggers that observe all commits: transitions that are not allowed, writes after a disconnect, and limits exceeded
 * at an insert. They write to `probe.violation`.
 */
export async function installProbes(database: Pool): Promise<void> {
  const triggers = Object.entries(PROBES).map(
    ([event, body], index) => `
    CREATE FUNCTION probe.probe_${index}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} RETURN NULL; END $$;
    CREATE TRIGGER probe_${index} AFTER ${event} FOR EACH ROW EXECUTE FUNCTION probe.probe_${index}();`,
  );
  await database.query(`
    CREATE SCHEMA probe;
    CREATE TABLE probe.violation (at timestamptz NOT NULL DEFAULT clock_timestamp(), rule text, detail text);
    -- Attempts whose consent brought a grant that was stored, and attempts that expired in the middle of the exchange.
    CREATE TABLE probe.stored_grant (attempt_id uuid PRIMARY KEY);
    CREATE TABLE probe.cut_off_exchange (attempt_id uuid PRIMARY KEY);
    -- How the renewals of a connection's grant, or of an attempt's, ended: announced and not answered yet, or withdrawn by
    -- the process that saw it fail.
    CREATE TABLE probe.renewal (owner_id uuid PRIMARY KEY, is_open boolean NOT NULL, withdrawn int NOT NULL DEFAULT 0);

    CREATE FUNCTION probe.report(rule text, detail text) RETURNS void LANGUAGE sql AS
      $$ INSERT INTO probe.violation (rule, detail) VALUES (rule, detail) $$;
    ${triggers.join("\n")}`);
}

/** A row for each move that a table of transitions allows, e.g. `CONNECTED>SUSPENDED`. */
function allowedMoves(
  transitions: Readonly<Record<string, { readonly from: readonly string[]; readonly to: string }>>,
): string {
  const moves = Object.values(transitions).flatMap(({ from, to }) => from.map((status) => `'${status}>${to}'`));
  return [...new Set(moves)].join(", ");
}

const FINISHED_JOB = "('SUCCEEDED', 'FAILED', 'CANCELED')";
const READ_IN_FLIGHT =
  "NOT background AND kind NOT IN ('REVOKE', 'ERASE', 'RECHECK') AND status IN ('QUEUED', 'RUNNING')";

/** What each change is checked for. */
const PROBES = {
  "INSERT OR UPDATE ON content_item": `
    IF EXISTS (SELECT 1 FROM connection WHERE id = NEW.connection_id AND status IN ('DISCONNECTED', 'DELETING')) THEN
      PERFORM probe.report('content written after a disconnect', NEW.connection_id::text);
    END IF;`,
  "UPDATE ON connection": `
    IF OLD.status <> NEW.status AND OLD.status || '>' || NEW.status NOT IN (${allowedMoves(CONNECTION_TRANSITIONS)}) THEN
      PERFORM probe.report('connection moved', NEW.id || ' ' || OLD.status || ' to ' || NEW.status);
    END IF;
    IF OLD.status IN ('DISCONNECTED', 'DELETING')
        AND (NEW.display_name IS DISTINCT FROM OLD.display_name OR NEW.profile_observed_at IS DISTINCT FROM OLD.profile_observed_at)
        AND NEW.profile_observed_at IS NOT NULL THEN
      PERFORM probe.report('profile written after a disconnect', NEW.id::text);
    END IF;`,
  "INSERT ON connection": `
    IF NEW.status <> 'CONNECTED' THEN PERFORM probe.report('connection made', NEW.id || ' ' || NEW.status); END IF;`,
  "UPDATE ON job": `
    IF OLD.status IN ${FINISHED_JOB} AND (NEW.status <> OLD.status OR NEW.finished_at <> OLD.finished_at) THEN
      PERFORM probe.report('finished job changed', NEW.id || ' ' || NEW.kind || ' ' || OLD.status || ' to ' || NEW.status);
    END IF;
    IF NEW.kind IN ('REVOKE', 'ERASE') AND NEW.status = 'CANCELED' THEN
      PERFORM probe.report('receipt canceled', NEW.id::text);
    END IF;`,
  "INSERT ON job": `
    IF NEW.kind IN ('REVOKE', 'ERASE')
        AND (SELECT count(*) FROM job WHERE connection_id = NEW.connection_id AND kind = NEW.kind) > 1 THEN
      PERFORM probe.report('second receipt', NEW.connection_id || ' ' || NEW.kind);
    END IF;
    IF (SELECT count(*) FROM job WHERE application_id = NEW.application_id AND ${READ_IN_FLIGHT}) > 20 THEN
      PERFORM probe.report('more than 20 read jobs in flight', NEW.application_id::text);
    END IF;`,
  "UPDATE ON connect_attempt": `
    IF OLD.status <> NEW.status
        AND OLD.status || '>' || NEW.status NOT IN (${allowedMoves(CONNECT_ATTEMPT_TRANSITIONS)}) THEN
      PERFORM probe.report('attempt moved', NEW.id || ' ' || OLD.status || ' to ' || NEW.status);
    END IF;
    IF OLD.connection_id IS NOT NULL AND NEW.connection_id IS DISTINCT FROM OLD.connection_id THEN
      PERFORM probe.report('attempt changed its connection', NEW.id::text);
    END IF;
    IF OLD.status = 'EXCHANGING' AND NEW.status = 'EXPIRED' THEN
      INSERT INTO probe.cut_off_exchange VALUES (NEW.id) ON CONFLICT DO NOTHING;
    END IF;`,
  "INSERT ON connect_attempt": `
    IF (SELECT count(*) FROM connect_attempt
          WHERE application_id = NEW.application_id AND tenant_key = NEW.tenant_key AND provider = NEW.provider
            AND external_subject_id = NEW.external_subject_id AND status IN ('CREATED', 'AUTHORIZING', 'EXCHANGING')
            AND expires_at > NEW.created_at) > 5 THEN
      PERFORM probe.report('more than 5 unfinished attempts', NEW.external_subject_id);
    END IF;`,
  "INSERT ON provider_grant": `
    IF NEW.attempt_id IS NOT NULL THEN
      INSERT INTO probe.stored_grant VALUES (NEW.attempt_id) ON CONFLICT DO NOTHING;
    END IF;`,
  "UPDATE ON provider_grant": `
    IF coalesce(NEW.connection_id, NEW.attempt_id) IS NOT NULL
        AND OLD.renewal_started_at IS DISTINCT FROM NEW.renewal_started_at THEN
      INSERT INTO probe.renewal AS renewal
         VALUES (coalesce(NEW.connection_id, NEW.attempt_id), NEW.renewal_started_at IS NOT NULL OR NEW.renewal_unanswered, 0)
         ON CONFLICT (owner_id) DO UPDATE SET is_open = excluded.is_open,
           withdrawn = renewal.withdrawn + (NEW.renewal_started_at IS NULL AND NEW.version = OLD.version)::int;
    END IF;`,
  "INSERT ON identity_attempt": `
    IF (SELECT count(*) FROM identity_attempt WHERE application_id = NEW.application_id AND status = 'PENDING'
         AND expires_at > NEW.created_at) > 20 THEN
      PERFORM probe.report('more than 20 unfinished identity attempts', NEW.application_id::text);
    END IF;`,
};
