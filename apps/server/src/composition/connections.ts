import type { Settings } from "../config/settings.ts";
import type { DatabaseAddresses } from "../platform/database/checkDatabase.ts";
import { openDatabase } from "../platform/database/database.ts";
import type { Logger } from "../platform/log/logger.ts";
import type { Telemetry } from "../platform/log/telemetry.ts";

/** Statements of the reads' connections. A migration holds its locks for at most 2 seconds, which a read waits for. */
const READS = { statementTimeoutMs: 5_000, lockTimeoutMs: 2_500 } as const;
const READINESS = { poolSize: 1, statementTimeoutMs: 2_000, connectTimeoutMs: 2_000 } as const;

export type Connections = ReturnType<typeof openConnections>;

/** Separate pools, so that a locked table or a busy worker does not take reads and readiness with it. */
export function openConnections(
  settings: Settings,
  { url, directUrl }: DatabaseAddresses,
  logger: Logger,
  tracing: Telemetry["tracing"],
) {
  const applicationName = `social-connect ${settings.role}`;
  const isPooled = directUrl !== null;
  const common = { url, isPooled, logger };
  const database = openDatabase({ ...common, tracing, applicationName, poolSize: settings.databasePoolSize });
  const reads = { ...READS, applicationName: `${applicationName} reads`, poolSize: settings.readPoolSize };
  return {
    database,
    reads: openDatabase({ ...common, tracing, ...reads }),
    readiness: openDatabase({ ...common, ...READINESS, applicationName: `${applicationName} readiness` }),
    direct: isPooled ? openDatabase({ url: directUrl, poolSize: 1, applicationName, logger }) : database,
  };
}
