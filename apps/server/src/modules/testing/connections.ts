import { CAPABILITIES, type Capability, type SocialProvider } from "@social-connect/contract";
import { EMPTY_CONTENT, type SubjectScope } from "@social-connect/domain";
import type { Connection, Prisma } from "../../_generated/prisma/client.ts";
import { newId } from "../../platform/ids.ts";
import type { ContentObservation, StoredTokens } from "../../providers/contract.ts";
import { sealTokens } from "../grants/sealTokens.ts";
import type { Service } from "../service.ts";
import type { TestApplication } from "./builders.ts";

export interface ConnectionOptions {
  readonly provider?: SocialProvider;
  readonly capabilities?: readonly Capability[];
  readonly accountId?: string;
  readonly providerUserKey?: string | null;
  readonly externalSubjectId?: string;
  readonly tokens?: Partial<StoredTokens>;
  readonly data?: Partial<Prisma.ConnectionUncheckedCreateInput>;
}

/** A connection as a completed attempt creates it, with an active grant and no jobs. */
export async function createConnection(
  service: Service,
  application: TestApplication,
  registrations: Readonly<Record<SocialProvider, string>>,
  options: ConnectionOptions = {},
): Promise<Connection> {
  const now = await service.clock.now();
  const provider = options.provider ?? "PROVIDER_A";
  const accountId = options.accountId ?? `${provider.toLowerCase()}-account-1`;
  const grantId = newId();
  return service.prisma.connection.create({
    data: {
      id: newId(),
      applicationId: application.id,
      tenantKey: application.scope.tenantKey,
      externalSubjectId: options.externalSubjectId ?? application.scope.externalSubjectId,
      provider,
      registrationId: registrations[provider],
      providerAccountId: accountId,
      liveAccountId: accountId,
      providerUserKey: options.providerUserKey ?? null,
      status: "CONNECTED",
      syncStatus: "PENDING",
      capabilities: [...(options.capabilities ?? CAPABILITIES)],
      createdAt: now,
      updatedAt: now,
      ...options.data,
      grant: {
        create: {
          id: grantId,
          registrationId: registrations[provider],
          status: "ACTIVE",
          ...sealTokens(service.secretBox, grantId, storedTokens(options.tokens)),
          createdAt: now,
          updatedAt: now,
        },
      },
    },
  });
}

export function storedTokens(changes: Partial<StoredTokens> = {}): StoredTokens {
  return {
    accessToken: "access-1",
    accessTokenExpiresAt: null,
    refreshToken: "refresh-1",
    refreshTokenExpiresAt: null,
    ...changes,
  };
}

export function scopeOf({ tenantKey, externalSubjectId }: SubjectScope): SubjectScope {
  return { tenantKey, externalSubjectId };
}

/** A post of a video platform, published `hoursAgo` before `now`. */
export function postOf(id: string, now: Date, hoursAgo: number): ContentObservation {
  return {
    providerContentId: id,
    kind: "VIDEO",
    ...EMPTY_CONTENT,
    canonicalUrl: `https://video.example/${id}`,
    title: `Title of ${id}`,
    description: `Description of ${id}`,
    publishedAt: new Date(now.getTime() - hoursAgo * 3_600_000),
    availability: "AVAILABLE",
    reason: null,
    metrics: [
      { name: "VIEWS", value: "100", availability: "AVAILABLE", reason: null, sourceField: "statistics.viewCount" },
    ],
  };
}

/** `count` posts, newest first, an hour apart. */
export function postsOf(count: number, now: Date): ContentObservation[] {
  return Array.from({ length: count }, (_, index) => postOf(`post-${index + 1}`, now, index + 1));
}
