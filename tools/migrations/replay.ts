import pg from "pg";
import type { RecordedCall, RecordedRelease } from "./release.ts";

/** How long a statement of the previous release may wait for a lock. */
export const LONGEST_LOCK_MS = 2_000;

/** Stores the rows that the recorded calls found. */
export async function storeRows(client: pg.Client, { rows }: RecordedRelease): Promise<void> {
  // Rows refer to each other in any order.
  await client.query("SET session_replication_role = replica");
  for (const [table, values] of Object.entries(rows)) {
    const columns = Object.keys(values[0] ?? {}).map((column) => `"${column}"`);
    await client.query(
      `INSERT INTO "${table}" (${columns}) SELECT ${columns} FROM jsonb_populate_recordset(NULL::"${table}", $1)`,
      [JSON.stringify(values)],
    );
  }
  await client.query("SET session_replication_role = DEFAULT");
}

/** More posts, so that statements and migrations have work: copies of posts with metrics, which no sweep expires. */
export async function multiplyPosts(client: pg.Client, copies: number): Promise<void> {
  const { rows } = await client.query<{ column: string }>(
    `SELECT quote_ident(column_name) AS column FROM information_schema.columns
      WHERE table_schema = 'public' AND table_name = 'content_item' AND column_name NOT IN ('id', 'provider_content_id')`,
  );
  const columns = rows.map(({ column }) => column).join(", ");
  await client.query(
    `INSERT INTO content_item (id, provider_content_id, ${columns})
     SELECT gen_random_uuid(), 'copy-' || n || '-' || provider_content_id, ${columns}
       FROM content_item, generate_series(1, $1::int) n WHERE metrics <> '[]'`,
    [copies],
  );
  await client.query("ANALYZE content_item");
}

/** A call of the previous release that failed or waited too long for a lock. */
export interface Failure {
  readonly call: string;
  readonly statement: string;
  readonly message: string;
}

/**
 * Repeats calls as a process of the previous release sends them, until it is stopped. Every call ends with a rollback, so that
 * each finds the same rows. A wait for a lock that is too long is an error.
 */
export class Replay {
  readonly failures: Failure[] = [];
  /** Calls that ran to their end. */
  completed = 0;
  #isStopping = false;
  readonly #running: Promise<void>[];

  constructor(url: string, lanes: readonly (readonly RecordedCall[])[]) {
    this.#running = lanes.map((calls) => this.#run(url, calls));
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(this.#running);
  }

  async #run(url: string, calls: readonly RecordedCall[]): Promise<void> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      while (!this.#isStopping) {
        for (const call of calls) await this.#call(client, call);
      }
    } finally {
      await client.end();
    }
  }

  async #call(client: pg.Client, { name, statements }: RecordedCall): Promise<void> {
    await client.query("BEGIN");
    await client.query(`SET LOCAL lock_timeout = ${LONGEST_LOCK_MS}`);
    let running = "";
    try {
      for (const { text, values } of statements) {
        if (/^(?:BEGIN|COMMIT|ROLLBACK)\b/i.test(text)) continue;
        running = text;
        await client.query(text, [...values]);
      }
      this.completed += 1;
    } catch (error) {
      this.failures.push({ call: name, statement: running, message: (error as Error).message });
    }
    await client.query("ROLLBACK");
  }
}
