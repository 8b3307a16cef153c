/**
 * A process that reads a connection's posts many times concurrently, each read with the connection's own credential. It
 * sends "ready", reads on each message, and sends the result: "<message>: read <count>, failed <count>". READER_PROCESS
 * has its configuration as JSON.
 */

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
  readonly connectionId: string;
  readonly reads: number;
}

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
const connection = await prisma.connection.findFirstOrThrow({ where: { id: options.connectionId } });
const window = { publishedAfter: new Date(0), publishedBefore: new Date(4_102_444_800_000), maxItems: 20 };
const read = () =>
  withProviderSession(service as Service, connection, (session) =>
    providerAdapter("PROVIDER_B").listContent(session, { ...window, cursor: null, withMetrics: false }),
  );

process.on("message", async (round) => {
  const results = await Promise.allSettled(Array.from({ length: options.reads }, read));
  const failed = results.filter(({ status }) => status === "rejected").length;
  process.send?.(`${round}: read ${results.length - failed}, failed ${failed}`);
});
process.send?.("ready");
