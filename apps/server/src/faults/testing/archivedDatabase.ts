import { cp, mkdir, readdir, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { eventually } from "@social-connect/testkit";
import pg from "pg";
import { giveToDatabaseUser } from "../../platform/embeddedDatabase/binaries.ts";
import {
  type EmbeddedDatabase,
  MAINTENANCE_DATABASE,
  startEmbeddedDatabase,
} from "../../platform/embeddedDatabase/start.ts";
import { reservePort } from "../../platform/ports.ts";
import { makeTemporaryDataFolder, type TemporaryDataFolder } from "../../platform/testing/temporaryDatabase.ts";

/** Files of a running server that no base backup contains, as `pg_basebackup` leaves them out. */
const NOT_IN_BACKUP = /^(?:pg_wal\/.+|postmaster\.(?:pid|opts))$/;
const PASSWORD = "postgres.password";
const CLUSTER = "postgres";

/**
 * A PostgreSQL with a log archive, of which a base backup can be taken and restored to a point in time. It uses the functions of the
 * server itself, because the packaged PostgreSQL has neither pg_basebackup nor pg_dump.
 */
export class ArchivedDatabase {
  readonly #folder: TemporaryDataFolder;
  readonly #safe: Safe;
  readonly #database: EmbeddedDatabase;
  #isLost = false;

  private constructor(folder: TemporaryDataFolder, safe: Safe, database: EmbeddedDatabase) {
    this.#folder = folder;
    this.#safe = safe;
    this.#database = database;
  }

  static async start(): Promise<ArchivedDatabase> {
    const [folder, safe] = [await makeTemporaryDataFolder(), await Safe.open()];
    const first = await startIn(folder);
    const archive = `test ! -f "${safe.archive}/%f" && cp "%p" "${safe.archive}/%f"`;
    await run(first, "ALTER SYSTEM SET archive_mode = on", `ALTER SYSTEM SET archive_command = '${archive}'`);
    await first.stop();
    return new ArchivedDatabase(folder, safe, await startIn(folder));
  }

  url(database: string): string {
    return this.#database.url(database);
  }

  async takeBaseBackup(): Promise<void> {
    const client = await connect(this.#database);
    try {
      await client.query("SELECT pg_backup_start('drill', true)");
      await this.#safe.copyIn(this.#folder.path);
      const { rows } = await client.query<{ labelfile: string }>("SELECT labelfile FROM pg_backup_stop()");
      await writeFile(join(this.#safe.backup, CLUSTER, "backup_label"), rows[0]?.labelfile ?? "");
    } finally {
      await client.end();
    }
  }

  /** The time on the server, after every earlier commit and before every later one. */
  async time(): Promise<string> {
    const [row] = await run(this.#database, "SELECT clock_timestamp()::text AS time");
    return (row as { time: string }).time;
  }

  /** Removes the database. The archive has everything until now. */
  async lose(): Promise<void> {
    const [row] = await run(this.#database, "SELECT pg_walfile_name(pg_switch_wal()) AS name");
    const { name } = row as { name: string };
    await eventually(async () => {
      const archived = await readdir(this.#safe.archive);
      if (!archived.includes(name)) throw new Error(`${name} is not archived yet`);
    });
    await this.#remove();
  }

  /** A new server with the database as of a time, from the base backup and the archive. */
  async restore(time: string): Promise<RestoredDatabase> {
    const folder = await makeTemporaryDataFolder();
    await this.#safe.copyOut(folder.path);
    const cluster = join(folder.path, CLUSTER);
    const settings = [
      `restore_command = 'cp "${this.#safe.archive}/%f" "%p"'`,
      `recovery_target_time = '${time}'`,
      "recovery_target_action = 'promote'",
      "archive_mode = off",
    ];
    await writeFile(join(cluster, "postgresql.auto.conf"), settings.join("\n"));
    await writeFile(join(cluster, "recovery.signal"), "");
    await giveAllToDatabaseUser(cluster);
    const database = await startIn(folder);
    await eventually(async () => {
      const [row] = await run(database, "SELECT pg_is_in_recovery() AS waits");
      if ((row as { waits: boolean }).waits) throw new Error("the database is in recovery");
    });
    return {
      url: (name) => database.url(name),
      remove: async () => {
        await database.stop();
        await folder.remove();
      },
    };
  }

  async remove(): Promise<void> {
    await this.#remove();
    await this.#safe.remove();
  }

  async #remove(): Promise<void> {
    if (this.#isLost) return;
    this.#isLost = true;
    await this.#database.stop();
    await this.#folder.remove();
  }
}

export interface RestoredDatabase {
  url(database: string): string;
  remove(): Promise<void>;
}

/** Where the base backup and the log archive are, outside the database's folder. */
class Safe {
  readonly #folder: TemporaryDataFolder;

  private constructor(folder: TemporaryDataFolder) {
    this.#folder = folder;
  }

  static async open(): Promise<Safe> {
    const safe = new Safe(await makeTemporaryDataFolder());
    for (const folder of [safe.archive, safe.backup]) {
      await mkdir(folder);
      await giveToDatabaseUser(folder);
    }
    return safe;
  }

  get archive(): string {
    return join(this.#folder.path, "archive");
  }

  get backup(): string {
    return join(this.#folder.path, "backup");
  }

  async copyIn(dataFolder: string): Promise<void> {
    const cluster = join(dataFolder, CLUSTER);
    const filter = (path: string) => !NOT_IN_BACKUP.test(relative(cluster, path));
    await cp(cluster, join(this.backup, CLUSTER), { recursive: true, filter });
    await cp(join(dataFolder, PASSWORD), join(this.backup, PASSWORD));
  }

  async copyOut(dataFolder: string): Promise<void> {
    await cp(this.backup, dataFolder, { recursive: true });
  }

  remove(): Promise<void> {
    return this.#folder.remove();
  }
}

async function startIn({ path }: TemporaryDataFolder): Promise<EmbeddedDatabase> {
  return startEmbeddedDatabase({ dataFolder: path, port: await reservePort(), unsafeAndFast: true });
}

/** A server only accepts files of the user that runs it. */
async function giveAllToDatabaseUser(cluster: string): Promise<void> {
  await giveToDatabaseUser(cluster);
  const entries = await readdir(cluster, { recursive: true });
  for (const entry of entries) await giveToDatabaseUser(join(cluster, entry));
}

async function connect(database: EmbeddedDatabase): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url(MAINTENANCE_DATABASE) });
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

async function run(database: EmbeddedDatabase, ...statements: readonly string[]): Promise<object[]> {
  const client = await connect(database);
  try {
    let rows: object[] = [];
    for (const statement of statements) ({ rows } = await client.query<object>(statement));
    return rows;
  } finally {
    await client.end();
  }
}
