import type { ClientBase, Pool } from "pg";

type Queries = Pick<Pool, "query"> | Pick<ClientBase, "query">;
/** PostgreSQL's code of a table that does not exist: no migration was applied yet. */
const NO_TABLE = "42P01";

export type DeploymentMode = "sandbox" | "live";

export const WRONG_MODE_REMEDY =
  "Set DATABASE_URL to the database of this deployment, or MODE to the mode of the database. A database never changes its mode";

/** The message names both modes and the variables. */
export class WrongModeError extends Error {
  constructor(mode: DeploymentMode, fact: string) {
    super(`this database ${fact}, and MODE is ${mode}. ${WRONG_MODE_REMEDY}`);
    this.name = "WrongModeError";
  }
}

/** The mode of the first start on this database; null before. */
export async function readMode(database: Queries): Promise<DeploymentMode | null> {
  try {
    const { rows } = await database.query<{ mode: DeploymentMode }>("SELECT mode FROM deployment_mode WHERE id = 1");
    return rows[0]?.mode ?? null;
  } catch (error) {
    if ((error as { readonly code?: string }).code === NO_TABLE) return null;
    throw error;
  }
}

/** Refuses the other mode than that of the first start on this database. */
export async function requireMode(database: Queries, mode: DeploymentMode): Promise<void> {
  const stored = await readMode(database);
  if (stored !== null && stored !== mode) throw new WrongModeError(mode, `belongs to a ${stored} deployment`);
}

/**
 * The same, and the first start records its mode. If processes start together in different modes, one succeeds. Live mode
 * never adopts a database that an earlier release used as a sandbox.
 */
export async function recordMode(pool: Pool, mode: DeploymentMode, now: Date): Promise<void> {
  if ((await readMode(pool)) === null) {
    if (mode === "live" && (await wasSandbox(pool))) {
      throw new WrongModeError(mode, "was used by a sandbox (it has a moved clock or addresses without https)");
    }
    await pool.query(
      "INSERT INTO deployment_mode (id, mode, recorded_at) VALUES (1, $1, $2) ON CONFLICT (id) DO NOTHING",
      [mode, now],
    );
  }
  await requireMode(pool, mode);
}

/** What live mode refuses: a clock that was moved, and addresses of a provider without https. */
async function wasSandbox(pool: Pool): Promise<boolean> {
  // Separately, because Citus may have the tables on different nodes.
  const signs = [
    "SELECT FROM clock_offset WHERE offset_ms <> 0 LIMIT 1",
    "SELECT FROM provider_registration WHERE addresses::text LIKE '%http://%' LIMIT 1",
  ];
  for (const sign of signs) if ((await pool.query(sign)).rowCount !== 0) return true;
  return false;
}
