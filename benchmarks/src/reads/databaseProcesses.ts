import pg from "pg";

/** Processes of the database server at `url` that serve its connections now; they run on this machine. */
export async function backendsOf(url: string): Promise<number[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>(
      "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()",
    );
    return rows.map(({ pid }) => pid);
  } finally {
    await client.end();
  }
}
