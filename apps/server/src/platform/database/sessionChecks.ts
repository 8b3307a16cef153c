import type pg from "pg";
import { POOLED_ROLE_SETTINGS, SESSION_SETTINGS, type SessionSetting } from "./sessionSettings.ts";

interface SessionFacts {
  /** The value and its source by name, of the settings that this version has. */
  readonly settings: Readonly<Record<string, { readonly value: string; readonly source: string }>>;
  /** What `ALTER … SET` changes so that no other setting outranks it. */
  readonly target: string;
  /** Another schema with the service's tables, quoted; null if only `public` has them, or no schema. */
  readonly schemaOfTables: string | null;
  readonly hasPublic: boolean;
  readonly mayUsePublic: boolean;
  readonly encoding: string;
  /** Quoted. */
  readonly role: string;
  readonly database: string;
}

/** Two tables that another product is unlikely to have. */
const TABLES = ["provider_grant", "connect_attempt"];

/**
 * Why a database cannot hold the service's data, or a session cannot serve its statements, with the statement that corrects it;
 * null if nothing is wrong. `client` is a plain session. `isPooled`: the service cannot set anything for its sessions.
 */
export async function sessionProblem(client: pg.Client, isPooled: boolean): Promise<string | null> {
  const facts = await readSessionFacts(client);
  return databaseProblem(facts) ?? settingsProblem(facts, isPooled);
}

async function readSessionFacts(client: pg.Client): Promise<SessionFacts> {
  // Citus copies the settings of a role to its workers, where a timeout ends long copies.
  const { rows } = await client.query<SessionFacts>(
    `SELECT (SELECT json_object_agg(lower(name), json_build_object('source', source, 'value',
                 CASE WHEN name = 'search_path' AND current_schema() = 'public' THEN 'public' ELSE setting END))
               FROM pg_catalog.pg_settings WHERE lower(name) = ANY ($1)) AS settings,
            CASE WHEN EXISTS (SELECT FROM pg_catalog.pg_extension WHERE extname = 'citus')
                 THEN format('ALTER DATABASE %I', current_database())
                 ELSE format('ALTER ROLE %I IN DATABASE %I', session_user, current_database()) END AS target,
            (SELECT quote_ident(nspname) FROM pg_catalog.pg_class JOIN pg_catalog.pg_namespace n ON n.oid = relnamespace
              WHERE relkind IN ('r', 'p') AND relname = ANY ($2) AND pg_catalog.to_regclass('public.provider_grant') IS NULL
              GROUP BY nspname HAVING count(*) = $3 LIMIT 1) AS "schemaOfTables",
            to_regnamespace('public') IS NOT NULL AS "hasPublic",
            coalesce(has_schema_privilege(to_regnamespace('public'), 'USAGE'), false) AS "mayUsePublic",
            current_setting('server_encoding') AS encoding,
            quote_ident(current_user) AS role, quote_ident(current_database()) AS database`,
    [SESSION_SETTINGS.map(({ name }) => name.toLowerCase()), TABLES, TABLES.length],
  );
  const [facts] = rows;
  if (facts === undefined) throw new Error("the database returned no row");
  return facts;
}

function databaseProblem(facts: SessionFacts): string | null {
  const { encoding, schemaOfTables, hasPublic, mayUsePublic, role, database } = facts;
  if (encoding !== "UTF8") {
    return `its encoding is ${encoding}, which does not have every character; create a database with CREATE DATABASE <name> ENCODING 'UTF8' TEMPLATE template0 (and LOCALE 'C.UTF-8' if the server's locale has another encoding)`;
  }
  if (schemaOfTables !== null) {
    const makeRoom = hasPublic ? "DROP SCHEMA public; " : "";
    return `the service's tables are in the schema ${schemaOfTables}, where an earlier start with another search_path created them, and the service uses only public; as the owner of the database run ${makeRoom}ALTER SCHEMA ${schemaOfTables} RENAME TO public;`;
  }
  if (!hasPublic) {
    return `it has no schema public, where the service's tables are; as the owner of the database run CREATE SCHEMA public AUTHORIZATION ${role};`;
  }
  if (!mayUsePublic) {
    return `${role} may not use the schema public of ${database}, where the service's tables are; as its owner run GRANT USAGE ON SCHEMA public TO ${role};`;
  }
  return null;
}

function settingsProblem({ settings, target }: SessionFacts, isPooled: boolean): string | null {
  const wrong: { readonly name: string; readonly wanted: string; readonly found: string }[] = [];
  for (const setting of SESSION_SETTINGS) {
    const { name, value, isOnlyChecked } = setting;
    const found = settings[name.toLowerCase()];
    const wanted = isOnlyChecked ? value : isPooled ? POOLED_ROLE_SETTINGS.get(name) : undefined;
    if (found === undefined || wanted === undefined || isEnough(setting, found.value)) continue;
    if (found.source === "client") {
      return `its URL sets ${name} to ${found.value}, and the service needs ${wanted}; remove it from the options of the URL (or from PGOPTIONS)`;
    }
    wrong.push({ name, wanted, found: found.value });
  }
  if (wrong.length === 0) return null;
  const found = wrong.map((each) => `${each.name} is ${each.found === "" ? "empty" : each.found}`).join(", ");
  const statements = wrong.map(({ name, wanted }) => `${target} SET ${name} = '${wanted}';`).join(" ");
  const [cause, last] = isPooled
    ? [", and a pooler keeps no settings of a session", " and reconnect the pooler"]
    : [", which the service does not change itself", ""];
  return `${found}${cause}; as an admin of the database run ${statements}${last}`;
}

/** 0 sets no limit. */
function isEnough({ value, accepts, isLimit }: SessionSetting, found: string): boolean {
  return isLimit ? found !== "0" : (accepts?.test(found) ?? found === value);
}

/** Names of URL parameters that other drivers take for the schema; `pg` ignores them. */
const SCHEMA_PARAMETERS = ["schema", "search_path", "searchPath", "currentSchema"];

/** Why a URL asks for tables in another schema; null if it does not. */
export function schemaProblem({ searchParams }: URL): string | null {
  const named = SCHEMA_PARAMETERS.find((name) => searchParams.getAll(name).some((value) => !isPublic(value)));
  const path = /(?:^|\s)(?:-c\s*|--)search[_-]path=((?:\\.|\S)*)/i.exec(searchParams.get("options") ?? "")?.[1];
  if (named === undefined && (path === undefined || isPublic(path.replaceAll("\\", "")))) return null;
  return `its URL asks for another schema (${named ?? "search_path in options"}), and the service's tables are in public; remove that from the URL, and use a separate database to separate deployments`;
}

/** Whether a search path begins with `public`; the schema with the role's name is its default. */
function isPublic(path: string): boolean {
  return /^(?:"?\$user"?\s*,\s*)?"?public"?\s*(?:,|$)/.test(path.trim());
}
