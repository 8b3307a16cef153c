/**
 * A process that reads the posts of connections concurrently, each several times and with its own credential. It sends
 * "ready", reads on each `ReadRequest`, and sends its `ReadResult`. READER_PROCESS has its configuration as JSON.
 */

import type { Connection } from "../../_generated/prisma/client.ts";
import { withProviderSession } from "../../modules/grants/withProviderSession.ts";
import type { Service } from "../../modules/service.ts";
import { SystemClock } from "../../platform/clock.ts";
import { openDatabase } from "../../platform/database.ts";
import { createLogger } from "../../platform/logger.ts";
import { Secret } from "../../platform/secret.ts";
import { createSecretBox } from "../../platform/secretBox.ts";
import { NO_TELEMETRY } from "../../platform/telemetry.ts";
import { ProviderBreakers } from "../../providers/breakers.ts";
import { providerAdapter } from "../../providers/registry/registry.ts";

export interface ReaderProcessOptions {
  readonly databaseUrl: string;
  readonly secretKey: string;
  readonly reads: number;
}

export interface ReadRequest {
  readonly connectionIds: readonly string[];
}

/** By connection, in the order of the request: how many reads succeeded. */
export type ReadResult = readonly number[];

const options: ReaderProcessOptions = JSON.parse(process.env.READER_PROCESS ?? "{}");
const { pool, prisma } = openDatabase({ url: options.databaseUrl, poolSize: 10 });
const clock = new SystemClock(pool);
const logger = createLogger({ level: "silent", role: "reader" });
const service: Partial<Service> = {
  pool,
  prisma,
  clock,
  secretBox: createSecretBox([{ id: "test", key: new Secret(options.secretKey) }]),
  logger,
  telemetry: NO_TELEMETRY,
  breakers: new ProviderBreakers({ clock, logger }),
  provider: providerAdapter,
  mode: "sandbox",
  jitter: Math.random,
};
const window = { publishedAfter: new Date(0), publishedBefore: new Date(4_102_444_800_000), maxItems: 20 };
// A breaker for each connection: the failures of one are not to pause the others.
const read = (connection: Connection) =>
  withProviderSession(service as Service, { ...connection, registrationId: connection.id }, (session) =>
    providerAdapter("PROVIDER_B").listContent(session, { ...window, cursor: null, withMetrics: false }),
  );

process.on("message", async ({ connectionIds }: ReadRequest) => {
  const connections = await Promise.all(
    connectionIds.map((id) => prisma.connection.findFirstOrThrow({ where: { id } })),
  );
  const result: ReadResult = await Promise.all(
    connections.map(async (connection) => {
      const reads = await Promise.allSettled(Array.from({ length: options.reads }, () => read(connection)));
      return reads.filter(({ status }) => status === "fulfilled").length;
    }),
  );
  process.send?.(result);
});
process.send?.("ready");
