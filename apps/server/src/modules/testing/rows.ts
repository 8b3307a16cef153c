/** Rows with defaults for every column that a test does not care about. */
import { LIMITS, type SocialProvider } from "@social-connect/contract";
import type { ConnectAttempt, Connection, Prisma } from "../../_generated/prisma/client.ts";
import { newId } from "../../platform/ids.ts";
import { scopeHash } from "../connections/scope.ts";
import { orphanedGrantCondition } from "../disconnect/revokeOrphanedGrant.ts";
import { newEventSecret, sealEventSecret } from "../events/eventSecret.ts";
import { sealTokens } from "../grants/sealTokens.ts";
import type { RowKey } from "../rowKey.ts";
import type { Service } from "../service.ts";
import { IDENTITY_RETURN_URL, RETURN_URL, type TestApplication } from "./builders.ts";
import { storedTokens } from "./connections.ts";
import type { TestService } from "./testService.ts";

export function createConnectAttempt(
  { clock, prisma }: TestService,
  application: TestApplication,
  registrations: Readonly<Record<SocialProvider, string>>,
  data: Partial<Prisma.ConnectAttemptUncheckedCreateInput> = {},
) {
  const provider = data.provider ?? "PROVIDER_A";
  return prisma.connectAttempt.create({
    data: {
      id: newId(),
      applicationId: application.id,
      ...application.scope,
      provider,
      registrationId: registrations[provider],
      capabilities: ["PROFILE"],
      returnUrl: RETURN_URL,
      status: "CREATED",
      launchTokenHash: Buffer.from(newId()),
      stateHash: Buffer.from(newId()),
      createdAt: clock.current,
      expiresAt: clock.fromNow(LIMITS.connectDeadlineMs),
      resultExpiresAt: clock.fromNow(LIMITS.connectResultReadableMs),
      ...data,
    },
  });
}

/** An endpoint that takes all types of events. */
export function createEventEndpoint(
  { clock, prisma, secretBox }: TestService,
  { id: applicationId }: Pick<TestApplication, "id">,
  data: Partial<Prisma.EventEndpointUncheckedCreateInput> = {},
) {
  const id = newId();
  const secretSealed = sealEventSecret(secretBox, id, newEventSecret());
  const times = { createdAt: clock.current, updatedAt: clock.current };
  return prisma.eventEndpoint.create({
    data: { id, applicationId, url: `https://receiver.example/${id}`, types: [], secretSealed, ...times, ...data },
  });
}

export function createIdentityAttempt(
  { clock, prisma }: TestService,
  application: TestApplication,
  data: Partial<Prisma.IdentityAttemptUncheckedCreateInput> = {},
) {
  return prisma.identityAttempt.create({
    data: {
      id: newId(),
      applicationId: application.id,
      tenantKey: application.tenantKey,
      returnUrl: IDENTITY_RETURN_URL,
      status: "PENDING",
      launchTokenHash: Buffer.from(newId()),
      resultProofHash: Buffer.from(newId()),
      createdAt: clock.current,
      expiresAt: clock.fromNow(LIMITS.identityDeadlineMs),
      resultExpiresAt: clock.fromNow(LIMITS.identityResultReadableMs),
      ...data,
    },
  });
}

/** The grant of an attempt that has no connection. */
export function createPendingGrant(
  { clock, prisma, secretBox }: TestService,
  { id: attemptId, applicationId, registrationId }: ConnectAttempt,
) {
  const id = newId();
  const times = { createdAt: clock.current, updatedAt: clock.current };
  const tokens = sealTokens(secretBox, id, storedTokens());
  return prisma.grant.create({
    data: { id, applicationId, registrationId, attemptId, status: "PENDING", ...tokens, ...times },
  });
}

/** The line of an import that made a connection. */
export function createImportLine(
  { clock, prisma }: TestService,
  { id: connectionId, applicationId, tenantKey, externalSubjectId, provider }: Connection,
) {
  const ended = { status: "CONNECTED", connectionId, createdAt: clock.current } as const;
  const lineHash = Buffer.from(newId());
  return prisma.importLine.create({
    data: { id: newId(), applicationId, tenantKey, externalSubjectId, provider, lineHash, ...ended },
  });
}

/** A successful scan by default. */
export function createJob(
  { clock, prisma }: TestService,
  connection: Connection,
  data: Partial<Prisma.JobUncheckedCreateInput> = {},
) {
  const { id: connectionId, applicationId, provider } = connection;
  return prisma.job.create({
    data: {
      id: newId(),
      applicationId,
      connectionId,
      scopeHash: scopeHash(connectionId, connection),
      provider,
      kind: "SCAN",
      status: "SUCCEEDED",
      createdAt: clock.current,
      finishedAt: clock.current,
      ...data,
    },
  });
}

export function createPost(
  { clock, prisma }: TestService,
  { id: connectionId, applicationId }: RowKey,
  data: Partial<Prisma.ContentItemUncheckedCreateInput> = {},
) {
  return prisma.contentItem.create({
    data: {
      id: newId(),
      applicationId,
      connectionId,
      providerContentId: newId(),
      kind: "VIDEO",
      publishedAt: clock.current,
      availability: "AVAILABLE",
      observedAt: clock.current,
      metrics: [],
      ...data,
    },
  });
}

/** The ids of grants that no connection will use. */
export async function orphanedGrants({ prisma }: Pick<Service, "prisma">, now: Date): Promise<string[]> {
  const rows = await prisma.$queryRaw<{ id: string }[]>`
    SELECT id FROM provider_grant AS row WHERE ${orphanedGrantCondition(now)}`;
  return rows.map(({ id }) => id);
}
