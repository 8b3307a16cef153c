import {
  addMs,
  defaultScan,
  endedCapabilities,
  FAILURES_OF_SINGLE_ATTEMPT,
  type Incident,
  interruptedBy,
  type NewRead,
  refuseRead,
} from "@social-connect/domain";
import type { Connection, Job, Prisma, ProviderRegistration } from "../../_generated/prisma/client.ts";
import { readQuota } from "../../providers/registration.ts";
import { lockConnection } from "../connections/locks.ts";
import { createReadJob } from "../jobs/readJobs.ts";
import { ACCESS, type OwnedConnection, recheck, withAccess } from "../jobs/runRead.ts";
import { readServedClients } from "../quota/readQuotaUse.ts";
import { withUnitsLeft } from "../quota/withUnitsLeft.ts";
import type { Service } from "../service.ts";
import { timestamp } from "../sweeps/sweep.ts";

const MINUTE_MS = 60_000;
/** One of so many connections is read, so that the state of a single one does not decide for long. */
const MOST_CANDIDATES = 50;
/** How long a connection is left out of which a look failed: an account that always fails must not keep an incident open. */
const REST_MS = 30 * MINUTE_MS;
/** Why the scan of one account fails, whatever the others do. */
const OWN_CAUSES = ["PERMISSION_MISSING", "ACCOUNT_UNREADABLE", "CALLS_REFUSED"];

/**
 * Reads one connection of the registration that the incident concerns: once a minute, however many processes and incidents there
 * are, with a single attempt. A scan that failed because of it is repeated; without one a profile is read. Nothing is read without
 * a connection that can be read, without a unit of the quota, and while the end of the provider's limit is awaited.
 */
export async function lookForEnd(service: Service, incident: Looked, now: Date): Promise<void> {
  const { registrationId } = incident;
  if (registrationId === null) return;
  const minute = new Date(Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS);
  const where = {
    ...{ id: registrationId, status: "PUBLISHED" },
    // A clock that was set back can have looked later than now.
    OR: [{ lookedAt: null }, { lookedAt: { lt: minute } }, { lookedAt: { gte: addMs(minute, MINUTE_MS) } }],
  } satisfies Prisma.ProviderRegistrationWhereInput;
  const registration = await service.prisma.providerRegistration.findFirst({ where });
  if (registration === null || (await isLimitAwaited(service, registration, now))) return;
  const { count } = await service.prisma.providerRegistration.updateMany({ where, data: { lookedAt: now } });
  if (count === 0) return;
  const chosen = await chooseLook(service, registration, incident, now);
  if (chosen === null) return;
  await service.prisma.$transaction(async (transaction) => {
    const locked = await lockConnection(transaction, chosen.connection);
    if (locked?.status === "CONNECTED") await createReadJob(service, transaction, locked, chosen.read, now);
  });
}

type Looked = Pick<Incident, "cause" | "detail" | "registrationId">;

/** The read that waits for the end of a limit is the look, and so is a look that found the quota used up. */
export async function isLimitAwaited(
  { prisma, provider }: Pick<Service, "prisma" | "provider">,
  registration: ProviderRegistration,
  now: Date,
): Promise<boolean> {
  const { per } = readQuota(provider(registration.provider).traits.quota, registration.quota);
  if (per === "account") return false;
  const awaited = await prisma.$queryRaw<unknown[]>`
    SELECT 1 FROM job JOIN connection ON connection.id = job.connection_id AND connection.application_id = job.application_id
     WHERE job.status IN ('QUEUED', 'FAILED') AND job.next_retry_at > ${timestamp(now)}
       AND (job.wait_reason = 'RATE_LIMITED' OR job.wait_reason = 'QUOTA' AND job.background
         AND job.failures >= ${FAILURES_OF_SINGLE_ATTEMPT} AND job.attempt <= 1)
       AND connection.registration_id = ${registration.id}::uuid LIMIT 1`;
  return awaited.length > 0;
}

interface Look {
  readonly needs: "CONTENT_LIST" | "PROFILE";
  readonly read: NewRead;
  /** Which connections, in the order of an index. */
  readonly among: Pick<Prisma.ConnectionFindManyArgs, "where" | "orderBy">;
  /** Whether it is made beside a read of the kind that waits, as it can for hours after a provider's Retry-After. */
  readonly besideWaiting?: boolean;
}

interface Candidate {
  readonly connection: Connection;
  /** When a look at it failed, if that was lately. */
  readonly failedAt: Date | null;
}

async function chooseLook(
  service: Service,
  registration: ProviderRegistration,
  incident: Looked,
  now: Date,
): Promise<{ readonly connection: Connection; readonly read: NewRead } | null> {
  const { failed, others, profiles, waiting } = looksOf(incident, now);
  const find = async (look: Look) => ({ look, candidates: await findCandidates(service, registration, look, now) });
  const repeated = await find(failed);
  // Whether scans work is seen by a scan.
  const found = [repeated, ...(repeated.candidates.length > 0 ? [await find(others)] : []), await find(profiles)];
  for (const { look, candidates } of found) {
    const rested = candidates.filter(({ failedAt }) => failedAt === null);
    const chosen = rested[Math.floor(service.jitter() * rested.length)];
    if (chosen !== undefined) return { connection: chosen.connection, read: look.read };
  }
  for (const { look, candidates } of [...found, await find(waiting)]) {
    const [chosen] = candidates.toSorted((one, other) => Number(one.failedAt) - Number(other.failedAt));
    if (chosen !== undefined) return { connection: chosen.connection, read: look.read };
  }
  return null;
}

function looksOf({ cause, detail }: Looked, now: Date) {
  const errorCode = cause === "JOBS_FAIL" ? detail : (interruptedBy({ cause, detail })?.errorCode ?? null);
  const scan = { needs: "CONTENT_LIST", read: { ...defaultScan(now), isSingleAttempt: true } } as const;
  const profile = { target: { kind: "PROFILE" }, background: true, continues: null, isSingleAttempt: true } as const;
  const notOwn = { OR: [{ cause: null }, { cause: { notIn: OWN_CAUSES } }] };
  const latest = { orderBy: { triedAt: "desc" } } as const;
  return {
    failed: { ...scan, among: { where: { ...notOwn, syncStatus: "FAILED", scanErrorCode: errorCode ?? "" } } },
    others: { ...scan, among: { ...latest, where: { ...notOwn, syncStatus: { not: "FAILED" } } } },
    profiles: { needs: "PROFILE", read: profile, among: latest, besideWaiting: true },
    waiting: {
      ...scan,
      among: { where: { ...notOwn, syncStatus: "FAILED", scanErrorCode: null } },
      besideWaiting: true,
    },
  } as const satisfies Readonly<Record<string, Look>>;
}

/** Connections that can be read so now. */
async function findCandidates(
  service: Service,
  registration: ProviderRegistration,
  { needs, read, among, besideWaiting = false }: Look,
  now: Date,
): Promise<Candidate[]> {
  const { prisma } = service;
  const clients = await readServedClients(prisma, registration, { providers: { has: registration.provider } });
  const rows = await prisma.connection.findMany({
    ...among,
    where: {
      ...among.where,
      ...{ registrationId: registration.id, status: "CONNECTED", capabilities: { has: needs } },
      applicationId: { in: clients.map(({ id }) => id) },
    },
    include: ACCESS,
    take: MOST_CANDIDATES,
  });
  const { kind } = read.target;
  const readable = rows
    // Prisma loads relations in separate statements, so an erasure can take the application in between.
    .flatMap((row) => (row.application == null ? [] : [withAccess(row)]))
    .filter((connection) => isReadable(connection, { needs, kind }, now));
  const jobs = await prisma.job.findMany({
    where: {
      applicationId: { in: [...new Set(readable.map(({ applicationId }) => applicationId))] },
      connectionId: { in: readable.map(({ id }) => id) },
      kind: { in: ["SCAN", "PROFILE"] },
      OR: [
        { status: { in: ["QUEUED", "RUNNING"] } },
        { status: "FAILED", createdAt: { gt: new Date(now.getTime() - REST_MS) } },
      ],
    },
  });
  const free = readable.filter(
    ({ id }) => !jobs.some((job) => job.connectionId === id && prevents(job, kind, besideWaiting, now)),
  );
  return (await withUnitsLeft(service, registration, free, now)).map((connection) => {
    const looks = jobs.filter((job) => job.connectionId === connection.id && isFailedLook(job));
    const failedAt = looks.map(({ createdAt }) => createdAt).toSorted((one, other) => Number(other) - Number(one))[0];
    return { connection, failedAt: failedAt ?? null };
  });
}

function isReadable(
  connection: OwnedConnection,
  { needs, kind }: Pick<Look, "needs"> & Pick<Job, "kind">,
  now: Date,
): boolean {
  const refused = refuseRead({ kind, failures: 0 }, connection, recheck(connection, now));
  return refused === null && !endedCapabilities(connection.refusals).includes(needs);
}

/** Whether a job of the connection leaves no place for a look of the kind. */
function prevents(job: Job, kind: Job["kind"], besideWaiting: boolean, now: Date): boolean {
  const waits = job.nextRetryAt !== null && job.nextRetryAt > now;
  if (waits && (job.waitReason === "RATE_LIMITED" || job.waitReason === "QUOTA")) return true;
  if (job.kind !== kind || job.status === "FAILED") return false;
  // A look that waits is not repeated.
  const isLook = job.failures >= FAILURES_OF_SINGLE_ATTEMPT;
  return !(besideWaiting && waits && job.waitReason === "PROVIDER_UNAVAILABLE" && !isLook);
}

function isFailedLook({ status, background, failures, attempt }: Job): boolean {
  return status === "FAILED" && background && failures >= FAILURES_OF_SINGLE_ATTEMPT && attempt <= 1;
}
