import {
  accepted,
  accountHint,
  addMs,
  asAskedFor,
  asUuid,
  checkDisconnectForUser,
  checkReasonAbout,
  connectionDisconnected,
  connectionViewed,
  countActiveKeys,
  credentialEndsAt,
  decideRescan,
  decideRetryNow,
  describeConnection,
  isInFlight,
  JOB_KINDS,
  notFound,
  SUPPORT_VIEW_MS,
  type SupportFacts,
  VIEW_ENDED,
} from "@social-connect/domain";
import type { AuditEntry, Connection } from "../../state/state.ts";
import type { World } from "../../world/world.ts";
import { type AdminActor, actorName, type SessionActor } from "../admin/actor.ts";
import { applicationOf } from "../applications/authenticate.ts";
import { recordAudit } from "../audit/audit.ts";
import { keysOf } from "../clients/credentials.ts";
import { recheck, withOffered } from "../connections/access.ts";
import { endConnection } from "../disconnect/disconnectConnection.ts";
import { grantOfConnection } from "../grants/grants.ts";
import { createRead, jobsOf } from "../jobs/createJob.ts";
import { applyJobChange } from "../jobs/jobAttempt.ts";
import { servesApplication } from "../registrations/findRegistration.ts";
import { clientOf, listedAttempt, newestFirst } from "./searchConnections.ts";

export interface SupportCall {
  readonly id: string;
  readonly reason: string;
}

const JOBS_SHOWN_OF_KIND = 10;
const ATTEMPTS_SHOWN = 10;

/** Opens a connection, or what is left of an erased one, and records the admin and the reason. */
export function viewConnection(world: World, actor: SessionActor, { id, reason }: SupportCall) {
  const found = findSupported(world, id);
  accepted(checkReasonAbout(world.state.connections.get(found.id), reason));
  const { clientSlug } = clientOf(world, found.applicationId);
  recordAudit(world, actor, connectionViewed({ ...found, clientSlug }, reason));
  return supportConnection(world, found);
}

/** The state of a connection that the admin opened within the last 15 minutes, without another audit entry. */
export function readViewedConnection(world: World, actor: AdminActor, id: string) {
  const since = addMs(world.now(), -SUPPORT_VIEW_MS);
  const isView = ({ targetId, action, actor: by, at }: AuditEntry) =>
    targetId === id.toLowerCase() && action === "Connection viewed" && by === actorName(actor) && at > since;
  if (!world.state.auditEntries.some(isView)) return accepted(VIEW_ENDED);
  return supportConnection(world, findSupported(world, id));
}

export function rescanConnection(world: World, actor: SessionActor, { id, reason }: SupportCall) {
  const connection = findConnection(world, id);
  accepted(checkReasonAbout(connection, reason));
  const application = applicationOf(world, connection.applicationId);
  const inFlight = jobsOf(world, connection.id).filter(({ status }) => isInFlight(status));
  const facts = {
    recheckCode: recheck(world, connection, application),
    inFlight: inFlight.map(({ kind }) => kind),
    reason,
  };
  const supported = { ...withOffered(world, asAskedFor(connection)), clientSlug: application.slug };
  const { followUps, audit } = accepted(decideRescan(supported, facts, world.now()));
  recordAudit(world, actor, audit);
  for (const read of followUps) createRead(world, connection, { ...read, continues: null });
  return supportConnection(world, connection);
}

export function retryJob(world: World, actor: SessionActor, { id, reason }: SupportCall) {
  const job = world.state.jobs.get(asUuid(id) ?? "") ?? accepted(notFound("The job"));
  accepted(checkReasonAbout(world.state.connections.get(job.connectionId), reason));
  const { audit, ...change } = accepted(decideRetryNow(job, world.now()));
  recordAudit(world, actor, { ...audit, summary: `${audit.summary} Reason: ${reason}` });
  applyJobChange(world, job, change);
  return supportConnection(world, findSupported(world, job.connectionId));
}

export function disconnectForUser(world: World, actor: SessionActor, { id, reason }: SupportCall) {
  const connection = findConnection(world, id);
  accepted(checkReasonAbout(connection, reason) ?? checkDisconnectForUser(connection));
  const { clientSlug } = clientOf(world, connection.applicationId);
  recordAudit(world, actor, connectionDisconnected({ ...connection, clientSlug }, reason));
  endConnection(world, connection);
  return supportConnection(world, connection);
}

type Supported = Pick<Connection, "id" | "applicationId" | "provider">;

function findConnection(world: World, id: string): Connection {
  return world.state.connections.get(asUuid(id) ?? "") ?? accepted(notFound("The connection"));
}

/** A connection, or the receipts of an erased one. */
function findSupported(world: World, connectionId: string): Supported {
  const id = asUuid(connectionId) ?? "";
  const receipt = jobsOf(world, id).find(({ kind }) => kind === "REVOKE" || kind === "ERASE");
  return world.state.connections.get(id) ?? (receipt ? { ...receipt, id } : accepted(notFound("The connection")));
}

function supportConnection(world: World, { id, applicationId, provider }: Supported) {
  const connection = world.state.connections.get(id) ?? null;
  const application = applicationOf(world, applicationId);
  const registration = world.state.registrations.get(connection?.registrationId ?? "") ?? null;
  const grant = connection && grantOfConnection(world, id);
  const jobs = jobsOf(world, id).toReversed();
  const facts: SupportFacts = {
    connection,
    application: { ...application, hasActiveKey: countActiveKeys(keysOf(world, applicationId), world.now()) > 0 },
    registration: registration && {
      ...registration,
      servesApplication: servesApplication(registration, applicationId),
    },
    grant: grant && { ...grant, active: grant.status === "ACTIVE", refreshExpiresAt: credentialEndsAt(grant) },
    jobs: JOB_KINDS.flatMap((kind) => jobs.filter((job) => job.kind === kind).slice(0, JOBS_SHOWN_OF_KIND)).toSorted(
      newestFirst,
    ),
  };
  return {
    id,
    ...clientOf(world, applicationId),
    tenantKey: connection?.tenantKey ?? null,
    externalSubjectId: connection?.externalSubjectId ?? null,
    provider,
    accountHint: connection && accountHint(connection.providerAccountId),
    status: connection?.status ?? null,
    grant: grant && { ...grant, isActive: grant.status === "ACTIVE", renewals: grant.version - 1 },
    refusals: Object.entries(connection?.refusals ?? {}).map(([calls, refusal]) => ({ calls, ...refusal })),
    posts: countPosts(world, id),
    registrationId: registration?.id ?? null,
    registrationStatus: registration?.status ?? null,
    createdAt: connection?.createdAt ?? null,
    lastSuccessfulSyncAt: connection?.lastSuccessfulSyncAt ?? null,
    nextScanAt: connection?.nextScanAt ?? null,
    ...describeConnection(facts, connection === null ? [] : attemptsOf(world, connection), world.now()),
  };
}

function attemptsOf(world: World, { applicationId, tenantKey, externalSubjectId, provider }: Connection) {
  return [...world.state.connectAttempts.values()]
    .filter(
      (attempt) =>
        attempt.applicationId === applicationId &&
        attempt.tenantKey === tenantKey &&
        attempt.externalSubjectId === externalSubjectId &&
        attempt.provider === provider,
    )
    .toSorted(newestFirst)
    .slice(0, ATTEMPTS_SHOWN)
    .flatMap((attempt) => listedAttempt(world, attempt));
}

function countPosts(world: World, connectionId: string) {
  const counts = new Map<string, number>();
  for (const { availability } of world.state.content.get(connectionId)?.values() ?? [])
    counts.set(availability, (counts.get(availability) ?? 0) + 1);
  return [...counts].map(([availability, count]) => ({ availability, count }));
}
