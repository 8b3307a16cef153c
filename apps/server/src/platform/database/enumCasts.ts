import type pg from "pg";

/**
 * Enums without a cast to text whose function is immutable. Prisma reads enums as text, also in RETURNING, where Citus accepts
 * only immutable functions, and PostgreSQL's own conversion is stable because labels can be renamed. Migrations rename none.
 */
export async function enumsWithoutCast(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT quote_ident(typname) AS name FROM pg_type AS enum
      WHERE typtype = 'e' AND typnamespace = 'public'::regnamespace
        AND NOT EXISTS (SELECT FROM pg_cast WHERE castsource = enum.oid AND casttarget = 'text'::regtype) ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

/** Whether `createEnumCasts` ran on the database before, so that enums of later migrations need a cast, too. */
export async function hasEnumCasts(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query("SELECT 1 FROM pg_proc WHERE proname = 'enum_label' LIMIT 1");
  return rows.length > 0;
}

/** Only the coordinator plans statements, so workers need no cast. */
export async function createEnumCasts(client: pg.Client): Promise<void> {
  for (const name of await enumsWithoutCast(client)) {
    await client.query(
      `CREATE OR REPLACE FUNCTION enum_label(${name}) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
         AS 'BEGIN RETURN concat($1); END';
       CREATE CAST (${name} AS text) WITH FUNCTION enum_label(${name})`,
    );
  }
}
