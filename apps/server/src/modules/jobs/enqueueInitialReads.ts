import { nextBackgroundRead } from "@social-connect/domain";
import type { Connection } from "../../_generated/prisma/client.ts";
import type { Service, Transaction } from "../service.ts";
import { createReadJob, defaultScan, IN_FLIGHT } from "./readJobs.ts";

/**
 * Enqueues the initial reads of a new or reconnected connection: the profile and the default window, if granted. A scan
 * or profile read already in flight runs with the new credential instead.
 */
export async function enqueueInitialReads(
  service: Service,
  transaction: Transaction,
  connection: Connection,
  now: Date,
): Promise<void> {
  const inFlight = await transaction.job.findMany({
    where: { connectionId: connection.id, kind: { in: ["SCAN", "PROFILE"] }, status: { in: [...IN_FLIGHT] } },
    select: { kind: true },
  });
  const isRead = (kind: "SCAN" | "PROFILE") => inFlight.some((job) => job.kind === kind);
  const listed = connection.capabilities.includes("CONTENT_LIST");
  const profiled = connection.capabilities.includes("PROFILE");
  if (profiled && !isRead("PROFILE")) {
    await createReadJob(service, transaction, connection, { target: "PROFILE", background: true }, now);
  }
  if (listed && !isRead("SCAN")) {
    await createReadJob(service, transaction, connection, { target: defaultScan(now), background: true }, now);
  }
  await transaction.connection.update({
    where: { id: connection.id },
    data: {
      nextScanAt: listed ? nextBackgroundRead(now, service.jitter()) : null,
      nextProfileAt: profiled ? nextBackgroundRead(now, service.jitter()) : null,
    },
  });
}
