import { decideInitialReads } from "@social-connect/domain";
import type { Connection } from "../../_generated/prisma/client.ts";
import type { Service, Transaction } from "../service.ts";
import { createReadJob, kindsInFlight } from "./readJobs.ts";

/** Enqueues the first reads of a new or reconnected connection, and schedules the next ones. */
export async function enqueueInitialReads(
  service: Service,
  transaction: Transaction,
  connection: Connection,
  now: Date,
): Promise<void> {
  const { id, capabilities } = connection;
  const facts = { capabilities, inFlight: await kindsInFlight(transaction, id), startsScans: true };
  const { patch, followUps } = decideInitialReads(facts, service.jitter, now);
  for (const read of followUps) await createReadJob(service, transaction, connection, read, now);
  await transaction.connection.update({ where: { id }, data: patch });
}
