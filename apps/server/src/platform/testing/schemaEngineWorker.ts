/**
 * Runs Prisma's schema engine, which is WebAssembly over the `pg` driver: nothing to download or spawn. It has its own
 * thread because it leaves a timer of ten seconds that would delay the end of the process, and because it throws
 * outside of any promise when it fails.
 */
import { parentPort, workerData } from "node:worker_threads";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";
import { type DiffTarget, type MigrationList, SchemaEngine } from "@prisma/schema-engine-wasm";
import pg from "pg";

/** The request to the thread; `url` names a reachable database even for operations that change no database. */
export type SchemaEngineRequest =
  | { readonly task: "apply"; readonly url: string; readonly schema: string; readonly migrations: MigrationList }
  | { readonly task: "diff"; readonly url: string; readonly from: string | null; readonly to: string };

/** `value`: names of applied migrations, or one SQL script. */
export type SchemaEngineAnswer = { readonly value: readonly string[] } | { readonly failure: string };

const NO_FILTER = { externalTables: [], externalEnums: [] };

async function run(request: SchemaEngineRequest): Promise<readonly string[]> {
  // The engine applies migrations with one connection and writes its record with another.
  const pool = new pg.Pool({ connectionString: request.url, max: 2, connectionTimeoutMillis: 5_000 });
  pool.on("error", () => undefined);
  const factory = bindMigrationAwareSqlAdapterFactory(new WholeScripts(pool));
  const schema = request.task === "apply" ? request.schema : request.to;
  try {
    const engine = await SchemaEngine.new({ datamodels: [["schema.prisma", schema]] }, () => undefined, factory);
    if (request.task === "apply") {
      const answer = await engine.applyMigrations({ migrationsList: request.migrations, filters: NO_FILTER });
      return answer.appliedMigrationNames;
    }
    const { stdout } = await engine.diff({
      from: request.from === null ? { tag: "empty" } : datamodel(request.from),
      to: datamodel(request.to),
      script: true,
      exitCode: null,
      filters: NO_FILTER,
    });
    return [stdout ?? ""];
  } finally {
    await pool.end();
  }
}

/** Sends a script as the native engine does. The adapter splits it at each semicolon, also within a function. */
class WholeScripts extends PrismaPg {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    super(pool);
    this.#pool = pool;
  }

  override async connect() {
    const executeScript = async (script: string) => void (await this.#pool.query(script));
    return Object.assign(await super.connect(), { executeScript });
  }
}

function datamodel(content: string): DiffTarget {
  return { tag: "schemaDatamodel", files: [{ path: "schema.prisma", content }] };
}

const answer = (message: SchemaEngineAnswer): void => parentPort?.postMessage(message);

// The engine logs its reason here just before it fails.
Object.assign(globalThis, {
  PRISMA_WASM_PANIC_REGISTRY: { set_message: (failure: string) => answer({ failure }) },
});

run(workerData as SchemaEngineRequest).then(
  (value) => answer({ value }),
  (error: unknown) => answer({ failure: error instanceof Error ? error.message : String(error) }),
);
