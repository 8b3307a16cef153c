/**
 * Runs the service's tests on tables that are distributed by Citus, so that every statement that a test reaches is planned for
 * them: `pnpm test:system citus --statements [PATH …]`. Skipped if no PostgreSQL with the extension is installed.
 *
 * The cluster is one node, so that a test's database is still a copy of a template; what Citus refuses to plan does not depend
 * on the number of nodes. The conformance suite on `citus` and `pnpm test:system citus` use several.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { findCitus, NO_CITUS } from "../../tools/citus.ts";
import { startPostgres } from "../../tools/postgres.ts";

/** The folder that the server's package names as its source. */
const { exports } = JSON.parse(await readFile(new URL("../../apps/server/package.json", import.meta.url), "utf8"));
const SOURCE = join("apps/server", dirname(exports["."]["@social-connect/source"]));
/** Where statements are sent from. */
const TESTS = ["modules", "graphql", "http", "worker"].map((folder) => join(SOURCE, folder));
/** Tests of what one database does, such as its plans and its locks. */
const EXCLUDED = ["**/*Plans.test.ts", "**/graphql/**/audits.test.ts"];

export async function testOnCitus(paths: readonly string[]): Promise<number> {
  const bin = findCitus();
  if (bin === null) {
    console.log(`SKIPPED: the tests on Citus, because ${NO_CITUS}`);
    return 0;
  }
  const settings = { shared_preload_libraries: "citus", wal_level: "logical", max_worker_processes: 64 };
  // What `distribute` sets for a database, which its copies do not get.
  const server = await startPostgres(bin, { ...settings, "citus.multi_shard_modify_mode": "sequential" });
  const environment = { TEST_DATABASE_URL: server.url("postgres"), TEST_DATABASE_DISTRIBUTED: "true" };
  const excluded = EXCLUDED.flatMap((pattern) => ["--exclude", pattern]);
  const tests = ["exec", "vitest", "run", "--project", "service", ...excluded, ...(paths.length > 0 ? paths : TESTS)];
  try {
    const run = spawn("pnpm", tests, { stdio: "inherit", env: { ...process.env, ...environment } });
    const [code] = (await once(run, "exit")) as [number | null];
    return code ?? 1;
  } finally {
    await server.stop();
  }
}
