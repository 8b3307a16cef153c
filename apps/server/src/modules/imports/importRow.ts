import { consentKey, IMPORT_CODES, type ImportCode, type ImportLine, type ImportStatus } from "@social-connect/domain";
import type { Grant, ImportLine as ImportRow, ProviderRegistration } from "../../_generated/prisma/client.ts";
import { newId } from "../../platform/ids.ts";
import { sha256 } from "../../platform/secrets/hash.ts";
import { providerScopes } from "../../providers/registration.ts";
import { capabilitiesOf } from "../../providers/scopes.ts";
import { sealTokens } from "../grants/sealTokens.ts";
import { keyOf, type RowKey } from "../rowKey.ts";
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
  applicationId: string,
  registration: ProviderRegistration,
  line: ImportLine,
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

/** Locks the row against an erasure. null if it was erased, or has ended. */
export async function lockStarted(transaction: Transaction, { id, applicationId }: RowKey): Promise<ImportRow | null> {
  await transaction.$queryRaw`
    SELECT 1 FROM import_line WHERE id = ${id}::uuid AND application_id = ${applicationId}::uuid FOR UPDATE`;
  const row = await transaction.importLine.findUnique({ where: keyOf({ id, applicationId }) });
  return row?.status === "PENDING" ? row : null;
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
