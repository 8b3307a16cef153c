import type pg from "pg";
import { POOLED_ROLE_SETTINGS } from "../database/sessionSettings.ts";
import { type Column, isReadableByMonitor } from "./monitorColumns.ts";

/** The roles of a deployment's database. */
export interface RoleNames {
  /** Owns the tables and runs migrations. */
  readonly owner: string;
  /** The role of api and worker processes: reads and writes rows, and changes no table. */
  readonly runtime: string;
  /** Reads states, times and counts; no credential, name or text. */
  readonly monitor: string;
}

export type RoleKind = keyof RoleNames;
export const ROLE_KINDS = ["owner", "runtime", "monitor"] as const satisfies readonly RoleKind[];

const SCHEMAS = ["public", "pgboss"];
const TIMEOUTS = { statement_timeout: "10s", idle_in_transaction_session_timeout: "30s" };
const SETTINGS: Readonly<Record<RoleKind, Readonly<Record<string, string>>>> = {
  owner: {},
  runtime: Object.fromEntries(POOLED_ROLE_SETTINGS),
  monitor: { ...TIMEOUTS, default_transaction_read_only: "on" },
};

interface Role {
  readonly name: string;
  readonly isPrivileged: boolean;
  /** Whether the current user is this role. */
  readonly isCurrent: boolean;
  /** The current database, quoted. */
  readonly database: string;
  /** In the current database, as `name=value`. */
  readonly settings: readonly string[];
}

/**
 * The statements that are missing, of which later ones can depend on earlier ones. Statements that can only be planned when a role
 * or a schema exists follow in the next plan. Empty when the database is as it should be.
 */
export async function planRoles(client: pg.Client, names: RoleNames): Promise<readonly string[]> {
  const roles = await readRoles(client, names);
  const missing = ROLE_KINDS.filter((kind) => !roles.has(names[kind]));
  if (missing.length > 0) return missing.map((kind) => `CREATE ROLE ${names[kind]} ${PLAIN_ROLE}`);
  const statements = ROLE_KINDS.flatMap((kind) => settingsOf(kind, names, roles));
  const parameters = [names.owner, names.runtime, names.monitor, SCHEMAS];
  for (const query of [MEMBERSHIP, DATABASE, SCHEMA, PREVIOUS_OWNERS, OWNERSHIP, TABLES, EXCESS, SEQUENCES, DEFAULTS]) {
    const { rows } = await client.query<{ statement: string }>(PARAMETERS + query, parameters);
    statements.push(...rows.map(({ statement }) => statement));
  }
  return [...statements, ...(await planMonitor(client, names))];
}

const PLAIN_ROLE = "LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS";

async function readRoles(client: pg.Client, names: RoleNames): Promise<ReadonlyMap<string, Role>> {
  const { rows } = await client.query<Role>(
    `SELECT rolname AS name, rolname = current_user AS "isCurrent", quote_ident(current_database()) AS database,
            rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls AS "isPrivileged",
            COALESCE((SELECT setconfig FROM pg_db_role_setting WHERE setrole = role.oid AND setdatabase =
              (SELECT oid FROM pg_database WHERE datname = current_database())), '{}') AS settings
       FROM pg_roles role WHERE rolname = ANY ($1)`,
    [Object.values(names)],
  );
  const roles = new Map(rows.map((role) => [role.name, role]));
  for (const kind of ["runtime", "monitor"] as const) {
    const { isPrivileged, isCurrent } = roles.get(names[kind]) ?? {};
    const problem = isCurrent ? "runs this command" : "may do more than this command grants";
    if (isPrivileged || isCurrent) {
      throw new Error(`the role ${names[kind]} ${problem}. Choose another name with --${kind}`);
    }
  }
  return roles;
}

function settingsOf(kind: RoleKind, names: RoleNames, roles: ReadonlyMap<string, Role>): string[] {
  const present = roles.get(names[kind])?.settings ?? [];
  const database = roles.get(names[kind])?.database;
  return Object.entries(SETTINGS[kind])
    .filter(([name]) => !present.some((setting) => setting.startsWith(`${name}=`)))
    .map(([name, value]) => `ALTER ROLE ${names[kind]} IN DATABASE ${database} SET ${name} = '${value}'`);
}

const PARAMETERS = `WITH names AS (
  SELECT $1::text AS owner, $2::text AS runtime, $3::text AS monitor, $4::text[] AS schemas) `;

/** Only members of a role, and superusers, give it objects and set its default privileges. */
const MEMBERSHIP = `SELECT format('GRANT %I TO %I', owner, current_user) AS statement FROM names
  WHERE NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user)
    AND NOT pg_has_role(current_user, owner,
                        CASE WHEN current_setting('server_version_num')::int < 160000 THEN 'MEMBER' ELSE 'SET' END)`;

/** The owner creates the schema of the task queue. */
const DATABASE = `, acl AS (
  SELECT entry.* FROM pg_database, aclexplode(COALESCE(datacl, acldefault('d', datdba))) entry
   WHERE datname = current_database())
  SELECT format('GRANT %s ON DATABASE %I TO %I', wanted, current_database(), role) AS statement
    FROM names, LATERAL (VALUES ('CONNECT', owner), ('CREATE', owner), ('CONNECT', runtime), ('CONNECT', monitor))
         AS needed (wanted, role)
   WHERE NOT EXISTS (SELECT FROM acl WHERE grantee = role::regrole AND privilege_type = wanted)
  UNION ALL
  SELECT format('REVOKE %s ON DATABASE %I FROM PUBLIC', privilege_type, current_database()) FROM acl
   WHERE grantee = 0 AND privilege_type IN ('TEMPORARY', 'CREATE')`;

const SCHEMA = `, acl AS (
  SELECT nspname, entry.* FROM names, pg_namespace, aclexplode(COALESCE(nspacl, acldefault('n', nspowner))) entry
   WHERE nspname = ANY (schemas))
  SELECT format('CREATE SCHEMA pgboss AUTHORIZATION %I', owner) AS statement FROM names
   WHERE to_regnamespace('pgboss') IS NULL
  UNION ALL
  SELECT format('ALTER SCHEMA pgboss OWNER TO %I', owner) FROM names, pg_namespace
   WHERE nspname = 'pgboss' AND nspowner <> owner::regrole
  UNION ALL
  SELECT format('REVOKE CREATE ON SCHEMA %I FROM %s', nspname, CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END)
    FROM names, acl
   WHERE privilege_type = 'CREATE' AND grantee IN (0, runtime::regrole, monitor::regrole)
  UNION ALL
  SELECT format('GRANT %s ON SCHEMA %I TO %I', wanted, nspname, role)
    FROM names, pg_namespace,
         LATERAL (VALUES ('USAGE', owner), ('CREATE', owner), ('USAGE', runtime), ('USAGE', monitor)) AS needed (wanted, role)
   WHERE nspname = ANY (schemas)
     AND NOT EXISTS (SELECT FROM acl WHERE acl.nspname = pg_namespace.nspname AND grantee = role::regrole
                        AND privilege_type = wanted)`;

/** Processes of the role that owned the tables before continue to run. An administrator revokes this when they are replaced. */
const PREVIOUS_OWNERS = `SELECT DISTINCT format('GRANT %I TO %I', owner, pg_get_userbyid(relowner)) AS statement
  FROM names, pg_class JOIN pg_namespace n ON n.oid = relnamespace
 WHERE nspname = ANY (schemas) AND relkind IN ('r', 'p') AND relowner <> owner::regrole
   AND NOT pg_has_role(relowner, owner, 'MEMBER')`;

/** Indexes and sequences of columns follow their table. An extension has its own objects. */
const OWNERSHIP = `, objects AS (
  SELECT CASE relkind WHEN 'S' THEN 'SEQUENCE' WHEN 'v' THEN 'VIEW' ELSE 'TABLE' END AS type,
         format('%I.%I', nspname, relname) AS name, relowner AS owned_by, c.oid, 'pg_class'::regclass AS catalogue
    FROM names, pg_class c JOIN pg_namespace n ON n.oid = relnamespace
   WHERE nspname = ANY (schemas) AND relkind IN ('r', 'p', 'S', 'v')
  UNION ALL
  SELECT 'ROUTINE', p.oid::regprocedure::text, proowner, p.oid, 'pg_proc'::regclass
    FROM names, pg_proc p JOIN pg_namespace n ON n.oid = pronamespace WHERE nspname = ANY (schemas)
  UNION ALL
  SELECT 'TYPE', format('%I.%I', nspname, typname), typowner, t.oid, 'pg_type'::regclass
    FROM names, pg_type t JOIN pg_namespace n ON n.oid = typnamespace WHERE nspname = ANY (schemas) AND typtype IN ('e', 'd'))
  SELECT format('ALTER %s %s OWNER TO %I', type, name, owner) AS statement FROM names, objects
   WHERE owned_by <> owner::regrole
     AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = catalogue AND objid = oid
                        AND (deptype = 'e' OR type = 'SEQUENCE' AND deptype IN ('a', 'i')))
   ORDER BY type, name`;

/** Every table, with what the runtime role needs of it: the record of migrations is read only. */
const NEEDED = `, tables AS (
  SELECT format('%I.%I', nspname, relname) AS name, relacl, relowner,
         CASE WHEN relname = '_prisma_migrations' THEN '{SELECT}' ELSE '{SELECT,INSERT,UPDATE,DELETE}' END::text[] AS needed
    FROM names, pg_class JOIN pg_namespace n ON n.oid = relnamespace
   WHERE nspname = ANY (schemas) AND relkind IN ('r', 'p', 'v') AND relowner = owner::regrole) `;

const TABLES = `${NEEDED}
  SELECT format('GRANT %s ON TABLE %s TO %I', string_agg(wanted, ', ' ORDER BY position), name, runtime) AS statement
    FROM names, tables, unnest(needed) WITH ORDINALITY AS privileges (wanted, position)
   WHERE NOT EXISTS (SELECT FROM aclexplode(relacl) WHERE grantee = runtime::regrole AND privilege_type = wanted)
   GROUP BY name, runtime ORDER BY name`;

const EXCESS = `${NEEDED}
  SELECT format('REVOKE %s ON TABLE %s FROM %I', string_agg(privilege_type, ', ' ORDER BY privilege_type), name, runtime)
         AS statement
    FROM names, tables, aclexplode(relacl) WHERE grantee = runtime::regrole AND privilege_type <> ALL (needed)
   GROUP BY name, runtime ORDER BY name`;

const SEQUENCES = `
  SELECT format('GRANT USAGE, SELECT ON SEQUENCE %I.%I TO %I', nspname, relname, runtime) AS statement
    FROM names, pg_class JOIN pg_namespace n ON n.oid = relnamespace
   WHERE nspname = ANY (schemas) AND relkind = 'S' AND relowner = owner::regrole
     AND (SELECT count(*) FROM aclexplode(relacl)
           WHERE grantee = runtime::regrole AND privilege_type IN ('USAGE', 'SELECT')) < 2
   ORDER BY nspname, relname`;

/** Privileges of tables and sequences that a later migration creates. */
const DEFAULTS = `
  SELECT format('ALTER DEFAULT PRIVILEGES FOR ROLE %I IN SCHEMA %I GRANT %s ON %s TO %I', owner, nspname,
                array_to_string(needed, ', '), objects, runtime) AS statement
    FROM names, pg_namespace n,
         (VALUES ('r', 'TABLES', '{SELECT,INSERT,UPDATE,DELETE}'::text[]), ('S', 'SEQUENCES', '{USAGE,SELECT}'::text[]))
         AS kinds (type, objects, needed)
   WHERE nspname = ANY (schemas)
     AND NOT needed <@ ARRAY(
       SELECT privilege_type FROM pg_default_acl, aclexplode(defaclacl)
        WHERE defaclrole = owner::regrole AND defaclnamespace = n.oid AND defaclobjtype = type::"char"
          AND grantee = runtime::regrole)
   ORDER BY nspname, objects`;

interface MonitoredColumn extends Column {
  /** Qualified and quoted. */
  readonly name: string;
  readonly quoted: string;
  readonly isGranted: boolean;
  /** Whether it is granted with the whole table. */
  readonly isTableGranted: boolean;
}

async function planMonitor(client: pg.Client, { owner, monitor }: RoleNames): Promise<string[]> {
  const { rows } = await client.query<MonitoredColumn>(
    `SELECT nspname || '.' || relname AS table, attname AS column, typname AS type, typtype = 'e' AS "isEnum",
            format('%I.%I', nspname, relname) AS name, quote_ident(attname) AS quoted,
            EXISTS (SELECT FROM aclexplode(attacl) WHERE grantee = $2::regrole) AS "isGranted",
            EXISTS (SELECT FROM aclexplode(relacl) WHERE grantee = $2::regrole) AS "isTableGranted"
       FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
       JOIN pg_attribute ON attrelid = c.oid JOIN pg_type t ON t.oid = atttypid
      WHERE nspname = ANY ($3) AND relkind IN ('r', 'p') AND relowner = $1::regrole AND attnum > 0 AND NOT attisdropped
      ORDER BY nspname, relname, attnum`,
    [owner, monitor, SCHEMAS],
  );
  const tables = new Map<string, MonitoredColumn[]>();
  for (const column of rows) tables.set(column.name, [...(tables.get(column.name) ?? []), column]);
  return [...tables].flatMap(([name, columns]) => {
    const [granted, refused] = [
      columns.filter(isReadableByMonitor),
      columns.filter((one) => !isReadableByMonitor(one)),
    ];
    const added = granted.filter(({ isGranted }) => !isGranted).map(({ quoted }) => quoted);
    const removed = refused.filter(({ isGranted }) => isGranted).map(({ quoted }) => quoted);
    return [
      ...(columns.some(({ isTableGranted }) => isTableGranted) ? [`REVOKE ALL ON TABLE ${name} FROM ${monitor}`] : []),
      ...(removed.length > 0 ? [`REVOKE ALL (${removed.join(", ")}) ON TABLE ${name} FROM ${monitor}`] : []),
      ...(added.length > 0 ? [`GRANT SELECT (${added.join(", ")}) ON TABLE ${name} TO ${monitor}`] : []),
    ];
  });
}
