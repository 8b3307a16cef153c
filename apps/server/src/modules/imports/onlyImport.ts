import { withSession } from "../../platform/database/session.ts";

/**
 * Runs work while no other import runs on the database. The lock ends with the process, so a renewal that a killed import began
 * is known to be over.
 */
export async function asOnlyImport<Result>(url: string, work: () => Promise<Result>): Promise<Result> {
  return withSession(url, "import", async (session) => {
    const { rows } = await session.query<{ isFree: boolean }>(
      `SELECT pg_try_advisory_lock(hashtextextended('["import"]', 0)) AS "isFree"`,
    );
    if (rows[0]?.isFree !== true) throw new Error("another import runs on this database; wait until it has ended");
    return work();
  });
}
