import type { Service } from "../service.ts";

/**
 * A contradiction between two times, of which one was written without a time zone. The driver writes most times without one, so a
 * session in another zone than UTC shifted them; hand-written statements write the exact time. The query selects the rows that show it.
 */
interface Contradiction {
  /** What the rows say, of which one time must be wrong. */
  readonly message: string;
  readonly query: string;
  /** The value of `$1`. */
  readonly compares?: "now" | "firstMigration";
}

/** How many of the newest jobs are read, by the index on `created_at`. */
const JOBS = 1_000;
/** More than clocks differ, and less than time zones do. */
const TOLERANCE = "interval '2 minutes'";
const READS = `SELECT * FROM (SELECT kind, status, attempt, created_at, started_at, finished_at FROM job
  ORDER BY created_at DESC LIMIT ${JOBS}) latest WHERE status = 'SUCCEEDED' AND kind IN ('SCAN', 'METRICS', 'LOOKUP', 'PROFILE')`;

/** West of UTC, times were shifted into the future. */
const AHEAD: readonly Contradiction[] = [
  {
    message: "a job ended before it was created",
    query: `SELECT FROM (${READS}) reads WHERE finished_at < created_at - ${TOLERANCE}`,
  },
  {
    message: "an application's key was used before it was created",
    query: `SELECT FROM application_key WHERE last_used_at < created_at - ${TOLERANCE}`,
  },
  {
    message: "an admin key was used before it was created",
    query: `SELECT FROM admin_api_key WHERE first_used_at < created_at - ${TOLERANCE}`,
  },
];

/** East of UTC, they were shifted into the past. */
const BEHIND: readonly Contradiction[] = [
  {
    message: "an admin is older than the tables",
    query: `SELECT FROM admin_member WHERE added_at < $1::timestamptz - ${TOLERANCE}`,
    compares: "firstMigration",
  },
  {
    message: "an application is older than the tables",
    query: `SELECT FROM application WHERE created_at < $1::timestamptz - ${TOLERANCE}`,
    compares: "firstMigration",
  },
  {
    message: "a registration is older than the tables",
    query: `SELECT FROM provider_registration WHERE created_at < $1::timestamptz - ${TOLERANCE}`,
    compares: "firstMigration",
  },
  {
    message: "an admin key changed something before its first use",
    query: `SELECT FROM admin_api_key key WHERE EXISTS (
      SELECT FROM audit_entry WHERE api_key_id = key.id AND at < key.first_used_at - ${TOLERANCE})`,
  },
];

/** Not of a clock that was moved: another process may not know of it, and a move lengthens attempts. */
const UNMOVED: readonly Contradiction[] = [
  {
    message: "a sweep ran in the future",
    query: `SELECT FROM sweep_state WHERE ran_at > $1::timestamptz + ${TOLERANCE}`,
    compares: "now",
  },
  {
    // The queue ends an attempt after 15 minutes.
    message: "the only attempt at a job took longer than an attempt may",
    query: `SELECT FROM (${READS}) reads WHERE attempt = 1 AND finished_at > started_at + interval '29 minutes'`,
  },
];

/**
 * Finds times that an earlier release, whose sessions had no time zone, stored shifted, by facts that cannot be. Returns what the rows
 * say; empty if nothing contradicts. Reads a bounded number of jobs, and changes nothing.
 */
export async function findShiftedTimes({ pool, clock }: Pick<Service, "pool" | "clock">): Promise<readonly string[]> {
  const { rows } = await pool.query<{ firstMigration: Date | null; isMoved: boolean }>(
    `SELECT (SELECT min(finished_at) FROM _prisma_migrations) AS "firstMigration",
            EXISTS (SELECT FROM clock_offset WHERE offset_ms <> 0) AS "isMoved"`,
  );
  const { firstMigration = null, isMoved = false } = rows[0] ?? {};
  const times = { now: await clock.now(), firstMigration };
  const found: string[] = [];
  // Separately, because Citus joins no local table with a distributed one.
  for (const { message, query, compares } of [...AHEAD, ...BEHIND, ...(isMoved ? [] : UNMOVED)]) {
    const values = compares === undefined ? [] : [times[compares]];
    const { rows: present } = await pool.query<{ found: boolean }>(`SELECT EXISTS (${query}) AS found`, values);
    if (present[0]?.found === true) found.push(message);
  }
  return found;
}

/** What to do about shifted times. */
export const SHIFTED_TIMES_REMEDY =
  "Some times that an earlier release wrote are wrong by the offset of the database's time zone; new ones are right. Nothing has to be done: jobs, connect attempts and sessions expire; dates of connections and of the audit log stay wrong";
