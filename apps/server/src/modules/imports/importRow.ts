import {
  consentKey,
  IMPORT_CODES,
  type ImportCode,
  type ImportLine,
  type ImportRequest,
  type ImportStatus,
} from "@social-connect/domain";
import type {
  Application,
  Grant,
  ImportLine as ImportRow,
  ProviderRegistration,
} from "../../_generated/prisma/client.ts";
import { newId } from "../../platform/ids.ts";
import { sha256 } from "../../platform/secrets/hash.ts";
import { providerScopes } from "../../providers/registration.ts";
import { capabilitiesOf } from "../../providers/scopes.ts";
import { sealTokens } from "../grants/sealTokens.ts";
import type { RowKey } from "../rowKey.ts";
import type { Service, Transaction } from "../service.ts";

/** How a line ends. */
export interface ImportResult {
  readonly status: ImportStatus;
  /** null for a line with a connection. */
  readonly code: ImportCode | null;
  readonly connectionId: string | null;
}

/** A line whose grant was taken over. */
export interface StartedLine extends ImportRow {
  /** null once the line has ended. */
  readonly grant: (Grant & { readonly registration: ProviderRegistration }) | null;
}

/** The end of a line without a connection. */
export function endedBy(code: ImportCode): ImportResult {
  return { status: IMPORT_CODES[code], code, connectionId: null };
}

/** The end of a line without a reason. */
export function endedAs(status: ImportStatus, connectionId: string | null): ImportResult {
  return { status, code: null, connectionId };
}

/** A line that may be imported, as far as is known before its grant is used. */
export interface PlannedLine {
  readonly line: ImportLine;
  readonly application: Application;
  readonly registration: ProviderRegistration;
  readonly request: ImportRequest;
  /** The line, if an earlier run has begun it. */
  readonly started: StartedLine | null;
}

const GRANT = { grant: { include: { registration: true } } } as const;

/** The line, if an import of it has begun. */
export async function findStarted(
  { prisma }: Service,
  applicationId: string,
  line: ImportLine,
): Promise<StartedLine | null> {
  const lineHash_applicationId = { lineHash: sha256(consentKey(line)), applicationId };
  return prisma.importLine.findUnique({ where: { lineHash_applicationId }, include: GRANT });
}

/** Stores the line and its tokens, sealed, before any of them is sent. */
export async function startLine(
  service: Service,
  { line, application: { id: applicationId }, registration }: PlannedLine,
): Promise<StartedLine> {
  const { tenantKey, externalSubjectId, provider, scopes } = line;
  const [id, grantId] = [newId(), newId()];
  const now = await service.clock.now();
  // Without an access token, the first use renews it.
  const access =
    line.accessToken === null
      ? { accessToken: "", accessTokenExpiresAt: now }
      : { accessToken: line.accessToken, accessTokenExpiresAt: line.accessTokenExpiresAt };
  return service.prisma.importLine.create({
    data: {
      ...{ id, applicationId, tenantKey, externalSubjectId, provider, status: "PENDING", createdAt: now },
      lineHash: sha256(consentKey(line)),
      grant: {
        create: {
          id: grantId,
          registrationId: registration.id,
          status: "PENDING",
          ...sealTokens(service.secretBox, grantId, { ...line, ...access }),
          capabilities: scopes === null ? [] : capabilitiesOf(providerScopes.parse(registration.scopes), scopes),
          createdAt: now,
          updatedAt: now,
        },
      },
    },
    include: GRANT,
  });
}

/** Locks the row against an erasure. False if it was erased, or has ended. */
export async function lockPending(transaction: Transaction, { id, applicationId }: RowKey): Promise<boolean> {
  const rows = await transaction.$queryRaw<unknown[]>`
    SELECT 1 FROM import_line
     WHERE id = ${id}::uuid AND application_id = ${applicationId}::uuid AND status = 'PENDING' FOR UPDATE`;
  return rows.length > 0;
}

/** Records the end of a line. Deletes its tokens, unless a connection has them by now, and never revokes them. */
export async function endLine(
  transaction: Transaction,
  { id, applicationId }: RowKey,
  result: ImportResult,
): Promise<ImportResult> {
  const { status, code, connectionId } = result;
  if (status === "INVALID" || status === "LATER") throw new Error("Such a line has not ended.");
  await transaction.grant.deleteMany({ where: { importLineId: id, applicationId } });
  await transaction.importLine.updateMany({ where: { id, applicationId }, data: { status, code, connectionId } });
  return result;
}
