import { decideInitialReads } from "@social-connect/domain";
import type { Connection } from "../../_generated/prisma/client.ts";
import { keyOf } from "../rowKey.ts";
import type { Service, Transaction } from "../service.ts";
import { createReadJobs, kindsInFlight } from "./readJobs.ts";

/** Enqueues the first reads of a new or reconnected connection, and schedules the next ones. */
export async function enqueueInitialReads(
  service: Service,
  transaction: Transaction,
  connection: Connection,
  now: Date,
): Promise<void> {
  const { id, capabilities } = connection;
  const inFlight = (await kindsInFlight(transaction, [connection])).get(id) ?? [];
  const facts = { capabilities, inFlight, startsScans: true };
  const { patch, followUps } = decideInitialReads(facts, service.jitter, now);
  const reads = followUps.map((read) => ({ owner: connection, read }));
  await createReadJobs(service, transaction, reads, now);
  await transaction.connection.update({ where: keyOf(connection), data: patch });
}
