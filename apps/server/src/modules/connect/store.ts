import type { ConnectResultCode, SocialProvider } from "@social-connect/contract";
import { type SubjectScope, UNFINISHED_STATUSES } from "@social-connect/domain";
import type { ConnectAttempt } from "../../_generated/prisma/client.ts";
import { dateOf, type Found, keyedRead, type Reader, readForKey } from "../applications/readForKey.ts";
import type { Service, Transaction } from "../service.ts";

type Client = Service["prisma"] | Transaction;

/** The subject's unfinished attempts at a provider, in the order in which they were created. */
export async function findUnfinished(
  client: Client,
  applicationId: string,
  scope: SubjectScope,
  provider: SocialProvider,
  now: Date,
): Promise<Pick<ConnectAttempt, "createdAt" | "expiresAt">[]> {
  return client.connectAttempt.findMany({
    where: {
      applicationId,
      ...subject(scope),
      provider,
      status: { in: [...UNFINISHED_STATUSES] },
      expiresAt: { gt: now },
    },
    select: { createdAt: true, expiresAt: true },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
}

/** An attempt with its result. `resultCode` contains only codes of the contract, which `moveAttempt` writes. */
export type AttemptResult = Pick<
  ConnectAttempt,
  "id" | "provider" | "status" | "connectionId" | "creatorAction" | "createdAt" | "expiresAt" | "resultExpiresAt"
> & { readonly resultCode: ConnectResultCode | null };

type Times = "createdAt" | "expiresAt" | "resultExpiresAt";
/** JSON from PostgreSQL. */
type AttemptResultRow = Omit<AttemptResult, Times> & Readonly<Record<Times, string>>;

const READ_RESULT = keyedRead("connect.readResult", {
  columns: `t.id, t.provider, t.status, t.result_code AS "resultCode", t.connection_id AS "connectionId",
    t.creator_action AS "creatorAction", t.created_at AS "createdAt", t.expires_at AS "expiresAt",
    t.result_expires_at AS "resultExpiresAt"`,
  join: `LEFT JOIN connect_attempt t
    ON t.application_id = $2 AND t.tenant_key = $3 AND t.external_subject_id = $4 AND t.id = $5`,
});

/** The id of no attempt. With NULL instead, Citus reads the attempts of all applications: it finds no shard for an empty join. */
const NO_ATTEMPT = "00000000-0000-0000-0000-000000000000";

/** Backends poll this while the user is at the provider. `id`: null if it is not a UUID. */
export async function findAttemptResult(
  service: Service,
  reader: Reader,
  { tenantKey, externalSubjectId }: SubjectScope,
  id: string | null,
  now: Date,
): Promise<Found<AttemptResult>> {
  const read = { read: READ_RESULT, tenantKey, values: [externalSubjectId, id ?? NO_ATTEMPT], now };
  const { row, policy } = await readForKey<AttemptResultRow>(service, reader, read);
  if (row === null) return { row, policy };
  const { createdAt, expiresAt, resultExpiresAt } = row;
  const times = {
    createdAt: dateOf(createdAt),
    expiresAt: dateOf(expiresAt),
    resultExpiresAt: dateOf(resultExpiresAt),
  };
  return { row: { ...row, ...times }, policy };
}

/** Whether a disconnect of the subject's account at the provider is still settling. */
export async function isRevokeSettling(
  client: Client,
  applicationId: string,
  scope: SubjectScope,
  provider: SocialProvider,
): Promise<boolean> {
  return (await client.revokeSettlement.count({ where: { applicationId, ...subject(scope), provider } })) > 0;
}

export function subject(scope: SubjectScope): { tenantKey: string; externalSubjectId: string } {
  return { tenantKey: scope.tenantKey, externalSubjectId: scope.externalSubjectId };
}
