import { connectionsExported, shownCause } from "@social-connect/domain";
import type { Prisma } from "../../_generated/prisma/client.ts";
import type { SessionActor } from "../admin/actor.ts";
import { csvRow } from "../audit/csv.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import type { Service } from "../service.ts";
import { countAllConnections } from "./countAllConnections.ts";
import { type ConnectionListArguments, filterTexts, listAllConnections } from "./listAllConnections.ts";
import { LISTED_CONNECTION } from "./searchConnections.ts";

/** An export contains the first connections of the list up to this number. */
const EXPORT_LIMIT = 100_000;
const ROWS_PER_PART = 1_000;

const EXPORTED = {
  ...LISTED_CONNECTION,
  provider: true,
  syncStatus: true,
  scanErrorCode: true,
  lastSuccessfulSyncAt: true,
} as const satisfies Prisma.ConnectionSelect;
type Exported = Prisma.ConnectionGetPayload<{ select: typeof EXPORTED }>;

const CELLS: Readonly<Record<string, (row: Exported) => string | null | undefined>> = {
  externalSubjectId: ({ externalSubjectId }) => externalSubjectId,
  clientSlug: ({ application }) => application.slug,
  tenantKey: ({ tenantKey }) => tenantKey,
  provider: ({ provider }) => provider,
  status: ({ status }) => status,
  cause: shownCause,
  since: ({ causeSince }) => causeSince?.toISOString(),
  latestScan: ({ syncStatus }) => syncStatus,
  scanErrorCode: ({ scanErrorCode }) => scanErrorCode,
  lastScanAt: ({ lastSuccessfulSyncAt }) => lastSuccessfulSyncAt?.toISOString(),
  linkedAt: ({ createdAt }) => createdAt.toISOString(),
  connectionId: ({ id }) => id,
};

/** Exports what a filter of the list of connections shows, in its order. The export is recorded before the first row is read. */
export async function exportConnections(
  service: Service,
  actor: SessionActor,
  args: ConnectionListArguments,
  limit = EXPORT_LIMIT,
) {
  const { order: _order, descending: _descending, ...filter } = args;
  const { count } = await countAllConnections(service, filter, "CAUSE");
  const rows = Math.min(count, limit);
  const { memberId: id, email } = actor;
  const record = connectionsExported({ id, email }, rows, filterTexts(filter));
  await recordAudit(service.prisma, actor, await service.clock.now(), record);
  return { rows, isLimited: count > limit, parts: partsOf() };

  async function* partsOf() {
    yield csvRow(Object.keys(CELLS));
    let after: string | null = null;
    for (let left = rows; left > 0; ) {
      const page = { first: Math.min(left, ROWS_PER_PART), after };
      const { items, pageInfo } = await listAllConnections(service, args, page, { select: EXPORTED });
      yield (items as Exported[]).map((row) => csvRow(Object.values(CELLS).map((cell) => cell(row) ?? ""))).join("");
      if (!pageInfo.hasNextPage) return;
      after = pageInfo.endCursor;
      left -= items.length;
    }
  }
}
