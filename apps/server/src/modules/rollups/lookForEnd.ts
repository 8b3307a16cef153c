import {
  defaultScan,
  endedCapabilities,
  type Incident,
  type NewRead,
  servedCapabilities,
} from "@social-connect/domain";
import type { Prisma, ProviderRegistration } from "../../_generated/prisma/client.ts";
import { lockConnection } from "../connections/locks.ts";
import { createReadJob, kindsInFlight } from "../jobs/readJobs.ts";
import { callRefusalsOf } from "../registrations/callRefusals.ts";
import type { Service } from "../service.ts";
import { timestamp } from "../sweeps/sweep.ts";

const MINUTE_MS = 60_000;
/** One of so many connections is read, so that the state of a single one does not decide for long. */
const MOST_CANDIDATES = 50;

/**
 * Reads one connection of the registration that the incident concerns: once a minute, however many processes and incidents there
 * are, with a single attempt. A scan that failed is repeated; without one a profile is read. Without a connection nothing is read.
 * While a read waits for the end of a limit, that read is the look.
 */
export async function lookForEnd(
  service: Service,
  { cause, detail, registrationId }: Pick<Incident, "cause" | "detail" | "registrationId">,
  now: Date,
): Promise<void> {
  const isLimit = cause === "JOBS_FAIL" && detail === "UPSTREAM_RATE_LIMITED";
  if (registrationId === null || (isLimit && (await isAwaited(service, registrationId, now)))) return;
  const minute = new Date(Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS);
  const [registration] = await service.prisma.providerRegistration.updateManyAndReturn({
    where: { id: registrationId, status: "PUBLISHED", OR: [{ lookedAt: null }, { lookedAt: { lt: minute } }] },
    data: { lookedAt: now },
    select: { id: true, capabilities: true },
  });
  if (registration === undefined) return;
  if (await readOne(service, registration, scanAt(now), now)) return;
  await readOne(service, registration, PROFILE, now);
}

async function isAwaited({ prisma }: Service, registrationId: string, now: Date): Promise<boolean> {
  const awaited = await prisma.$queryRaw<unknown[]>`
    SELECT 1 FROM job JOIN connection ON connection.id = job.connection_id AND connection.application_id = job.application_id
     WHERE job.status IN ('QUEUED', 'FAILED') AND job.next_retry_at > ${timestamp(now)}
       AND job.wait_reason IN ('RATE_LIMITED', 'QUOTA') AND connection.registration_id = ${registrationId}::uuid LIMIT 1`;
  return awaited.length > 0;
}

interface Look {
  readonly needs: "CONTENT_LIST" | "PROFILE";
  readonly read: NewRead;
  /** Which connections, in the order of an index. */
  readonly among: Pick<Prisma.ConnectionFindManyArgs, "where" | "orderBy">;
}

const PROFILE: Look = {
  needs: "PROFILE",
  read: { target: { kind: "PROFILE" }, background: true, continues: null, isSingleAttempt: true },
  among: { orderBy: { triedAt: "desc" } },
};

function scanAt(now: Date): Look {
  const read = { ...defaultScan(now), isSingleAttempt: true } as const;
  return { needs: "CONTENT_LIST", read, among: { where: { syncStatus: "FAILED" } } };
}

/** Whether there is a connection that can be read so. */
async function readOne(
  service: Service,
  { id, capabilities: offeredCapabilities }: Pick<ProviderRegistration, "id" | "capabilities">,
  { needs, read, among }: Look,
  now: Date,
): Promise<boolean> {
  return service.prisma.$transaction(async (transaction) => {
    const connections = await transaction.connection.findMany({
      ...among,
      where: { ...among.where, registrationId: id, status: "CONNECTED", capabilities: { has: needs } },
      take: MOST_CANDIDATES,
    });
    const inFlight = await kindsInFlight(transaction, connections);
    const candidates = connections.filter(
      (connection) =>
        servedCapabilities({ ...connection, offeredCapabilities }).includes(needs) &&
        !endedCapabilities(callRefusalsOf(connection)).includes(needs) &&
        !inFlight.get(connection.id)?.includes(read.target.kind),
    );
    const chosen = candidates[Math.floor(service.jitter() * candidates.length)];
    if (chosen === undefined) return false;
    const locked = await lockConnection(transaction, chosen);
    if (locked?.status === "CONNECTED") await createReadJob(service, transaction, locked, read, now);
    return true;
  });
}
