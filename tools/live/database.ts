import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Shutdown } from "../../apps/server/src/platform/shutdown.ts";
import { startTemporaryDatabase } from "../../apps/server/src/platform/testing/temporaryDatabase.ts";
import { runStatement } from "../../packages/testkit/src/database.ts";
import { programFolders, startPostgres } from "../postgres.ts";

/** As the page writes it. */
const ADMINISTRATOR_PASSWORD = "secret";

export interface Database {
  readonly port: number;
  /** The folder with `pg_dump`; undefined for the embedded PostgreSQL, which has none. */
  readonly programs: string | undefined;
}

/** Starts a PostgreSQL that demands passwords, with the page's administrator and an empty database `service`. */
export async function startDatabase(shutdown: Shutdown, { isBundled }: { isBundled: boolean }): Promise<Database> {
  const programs = isBundled ? undefined : installedPrograms();
  if (programs === undefined) {
    const embedded = await startTemporaryDatabase();
    shutdown.add(() => embedded.stop());
    const url = embedded.url("postgres");
    await runStatement(url, `CREATE USER postgres SUPERUSER PASSWORD '${ADMINISTRATOR_PASSWORD}'`);
    await runStatement(url, "CREATE DATABASE service OWNER postgres");
    return { port: Number(new URL(url).port), programs };
  }
  const { folder, port, url, stop } = await startPostgres(programs);
  shutdown.add(stop);
  await runStatement(url("postgres"), "CREATE DATABASE service");
  await runStatement(url("postgres"), `ALTER USER postgres PASSWORD '${ADMINISTRATOR_PASSWORD}'`);
  await writeFile(join(folder, "pg_hba.conf"), "host all all 127.0.0.1/32 scram-sha-256\n");
  await runStatement(url("postgres"), "SELECT pg_reload_conf()");
  return { port, programs };
}

function installedPrograms(): string | undefined {
  return programFolders().find((bin) => ["postgres", "initdb", "pg_dump"].every((name) => existsSync(join(bin, name))));
}
