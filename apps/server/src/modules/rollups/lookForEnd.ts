import {
  defaultScan,
  endedCapabilities,
  type Incident,
  type NewRead,
  servedCapabilities,
} from "@social-connect/domain";
import type { Prisma, ProviderRegistration, SocialProvider } from "../../_generated/prisma/client.ts";
import { lockConnection } from "../connections/locks.ts";
import { createReadJob, kindsInFlight } from "../jobs/readJobs.ts";
import { callRefusalsOf } from "../registrations/callRefusals.ts";
import type { Service } from "../service.ts";

const MINUTE_MS = 60_000;
/** One of so many connections is read, so that the state of a single one does not decide for long. */
const MOST_CANDIDATES = 50;

/**
 * Reads one connection of each registration that the incident concerns: once a minute, however many processes and incidents there
 * are, with a single attempt. A scan that failed is repeated; without one a profile is read. Without a connection nothing is read.
 * While a read waits for the end of a limit, that read is the look.
 */
export async function lookForEnd(
  service: Service,
  { cause, detail, provider, registrationId }: Pick<Incident, "cause" | "detail" | "provider" | "registrationId">,
  now: Date,
): Promise<void> {
  const isLimit = cause === "JOBS_FAIL" && detail === "UPSTREAM_RATE_LIMITED";
  if (provider === null || (isLimit && (await isAwaited(service, provider, now)))) return;
  const registrations = await service.prisma.providerRegistration.findMany({
    where: { provider, status: "PUBLISHED", ...(registrationId !== null && { id: registrationId }) },
    select: { id: true, capabilities: true },
  });
  const minute = new Date(Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS);
  for (const registration of registrations) {
    const { count } = await service.prisma.providerRegistration.updateMany({
      where: { id: registration.id, OR: [{ lookedAt: null }, { lookedAt: { lt: minute } }] },
      data: { lookedAt: now },
    });
    if (count === 0) continue;
    if (await readOne(service, registration, scanAt(now), now)) continue;
    await readOne(service, registration, PROFILE, now);
  }
}

async function isAwaited({ prisma }: Service, provider: SocialProvider, now: Date): Promise<boolean> {
  const job = await prisma.job.findFirst({
    where: {
      provider,
      status: { in: ["QUEUED", "FAILED"] },
      waitReason: { in: ["RATE_LIMITED", "QUOTA"] },
      nextRetryAt: { gt: now },
    },
  });
  return job !== null;
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
