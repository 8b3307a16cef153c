import type { SocialProvider } from "@social-connect/contract";
import {
  accepted,
  accountHint,
  countActiveKeys,
  credentialEndsAt,
  describeConnection,
  notFound,
  type SupportFacts,
} from "@social-connect/domain";
import { asUuid } from "../../platform/uuid.ts";
import {
  countPosts,
  type FoundConnection,
  findConnection,
  listJobsOfConnection,
  SUPPORTED_APPLICATION,
} from "../operations/showConnection.ts";
import { callRefusalsOf } from "../registrations/callRefusals.ts";
import type { Service } from "../service.ts";
import { listAttempts } from "./searchConnections.ts";

const ATTEMPTS_SHOWN = 10;
const RECEIPTS = ["REVOKE", "ERASE"] as const;

/** A connection, or what is left of an erased one. */
export interface Supported {
  readonly id: string;
  readonly provider: SocialProvider;
  readonly application: FoundConnection["application"];
  /** null once it is erased. */
  readonly connection: FoundConnection | null;
}

export type SupportConnection = Awaited<ReturnType<typeof readSupportConnection>>;

/** Throws NOT_FOUND, also for an erased connection whose receipts are no longer stored. */
export async function findSupported(service: Pick<Service, "prisma">, connectionId: string): Promise<Supported> {
  const id = asUuid(connectionId);
  if (id === null) return accepted(notFound("The connection"));
  const connection = await findConnection(service, id);
  if (connection !== null)
    return { id, provider: connection.provider, application: connection.application, connection };
  const receipt = await service.prisma.job.findFirst({
    where: { connectionId: id, kind: { in: [...RECEIPTS] } },
    select: { provider: true, application: { select: SUPPORTED_APPLICATION } },
  });
  return receipt === null ? accepted(notFound("The connection")) : { id, ...receipt, connection: null };
}

/** What the support page shows: states, codes, times and counts. */
export async function readSupportConnection(service: Service, supported: Supported) {
  const { id, provider, application, connection } = supported;
  const now = await service.clock.now();
  const key = { id, applicationId: application.id };
  const erased = { registration: null, grant: null };
  const [jobs, posts, attempts, access, keys] = await Promise.all([
    listJobsOfConnection(service, key, connection === null ? RECEIPTS : undefined),
    countPosts(service, key),
    connection === null ? [] : listAttempts(service, attemptsOf(connection), ATTEMPTS_SHOWN),
    connection === null ? erased : readAccess(service, connection),
    service.prisma.applicationKey.findMany({
      where: { applicationId: application.id, revokedAt: null },
      select: { expiresAt: true, revokedAt: true },
    }),
  ]);
  const facts: SupportFacts = {
    connection: connection && { ...connection, refusals: callRefusalsOf(connection) },
    application: { ...application, hasActiveKey: countActiveKeys(keys, now) > 0 },
    ...access,
    jobs: jobs.map((job) => ({ ...job, deletedCounts: job.deletedCounts as Record<string, number> | null })),
  };
  return {
    ...{ id, provider, application, connection },
    refusals: facts.connection?.refusals ?? {},
    accountHint: connection && accountHint(connection.providerAccountId),
    posts,
    ...describeConnection(facts, attempts, now),
  };
}

/** Attempts of the same subject at the same provider, failed ones included. */
function attemptsOf({ applicationId, tenantKey, externalSubjectId, provider }: FoundConnection) {
  return { applicationId, tenantKey, externalSubjectId, provider };
}

/** The registration and the grant of a connection, as the checks of an access need them. */
export async function readAccess({ prisma }: Pick<Service, "prisma">, connection: FoundConnection) {
  const { id: connectionId, applicationId, registration, grant } = connection;
  const served = { registrationId: registration.id, applicationId };
  const refreshable = { connectionId, applicationId, refreshTokenSealed: { not: null } };
  const [listed, refreshTokens] = await Promise.all([
    prisma.registrationApplication.count({ where: served }),
    prisma.grant.count({ where: refreshable }),
  ]);
  return {
    registration: { ...registration, servesApplication: registration.allApplications || listed > 0 },
    grant: grant && {
      active: grant.status === "ACTIVE",
      refreshExpiresAt: credentialEndsAt({ ...grant, hasRefreshToken: refreshTokens > 0 }),
      updatedAt: grant.updatedAt,
    },
  };
}
