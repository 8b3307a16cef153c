/**
 * A process that reads the posts of connections concurrently, each several times and with its own credential. It sends
 * "ready", reads on each `ReadRequest`, and sends its `ReadResult`. READER_PROCESS has its configuration as JSON.
 */

import type { Connection } from "../../_generated/prisma/client.ts";
import { withProviderSession } from "../../modules/grants/withProviderSession.ts";
import { serviceOn } from "../../modules/testing/serviceOn.ts";
import { openDatabase } from "../../platform/database/database.ts";
import { Secret } from "../../platform/secrets/secret.ts";
import { createSecretBox } from "../../platform/secrets/secretBox.ts";
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
const database = openDatabase({ url: options.databaseUrl, poolSize: 10 });
const secretBox = createSecretBox([{ id: "test", key: new Secret(options.secretKey) }]);
const service = serviceOn(database, { secretBox, provider: providerAdapter });
const window = { publishedAfter: new Date(0), publishedBefore: new Date(4_102_444_800_000), maxItems: 20 };
// A breaker for each connection: the failures of one are not to pause the others.
const read = (connection: Connection) =>
  withProviderSession(service, { ...connection, registrationId: connection.id }, (session) =>
    providerAdapter("PROVIDER_B").listContent(session, { ...window, cursor: null, withMetrics: false }),
  );

process.on("message", async ({ connectionIds }: ReadRequest) => {
  const connections = await Promise.all(
    connectionIds.map((id) => service.prisma.connection.findFirstOrThrow({ where: { id } })),
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
