import { type DeletedCounts, isConsentSince, isDisconnected } from "@social-connect/domain";
import type { Connection, DataDeletion, Grant } from "../../_generated/prisma/client.ts";
import { keyOf, type RowKey } from "../rowKey.ts";
import type { Service, Transaction } from "../service.ts";

/** The keys of a connection, as a column stores them. */
export type ConnectionKey = Pick<RowKey, keyof RowKey>;

/** What was erased so far for a data deletion request. */
export interface DeletionProgress extends Pick<DataDeletion, "connections" | "posts" | "appMayRemain" | "erasedAt"> {
  readonly unfinished: ConnectionKey[];
}

export function unfinishedOf({ unfinished }: Pick<DataDeletion, "unfinished">): ConnectionKey[] {
  return unfinished as unknown as ConnectionKey[];
}

/** Whether a request does not concern a connection, because its user consented again since. */
export function isKept(
  { status, grant }: Pick<Connection, "status"> & { readonly grant: Grant | null },
  requestedAt: Date,
): boolean {
  return !isDisconnected(status) && grant !== null && isConsentSince(grant, requestedAt);
}

/**
 * A connection counts as erased once its row is deleted: the erasure deletes it last, with the receipt of what it deleted.
 */
export async function progressOf(
  client: Service["prisma"] | Transaction,
  deletion: DataDeletion,
  now: Date,
): Promise<DeletionProgress> {
  const unfinished: ConnectionKey[] = [];
  let { connections, posts, appMayRemain, erasedAt } = deletion;
  for (const key of unfinishedOf(deletion)) {
    const found = await client.connection.findUnique({ where: keyOf(key), include: { grant: true } });
    if (found !== null) {
      if (!isKept(found, deletion.requestedAt)) unfinished.push(key);
      continue;
    }
    const { id: connectionId, applicationId } = key;
    const receipts = await client.job.findMany({
      where: { applicationId, connectionId, kind: { in: ["REVOKE", "ERASE"] } },
      select: { kind: true, status: true, deletedCounts: true, finishedAt: true },
    });
    const erase = receipts.find(({ kind }) => kind === "ERASE");
    const at = erase?.finishedAt ?? now;
    connections += 1;
    posts += (erase?.deletedCounts as DeletedCounts | null | undefined)?.content_item ?? 0;
    appMayRemain ||= receipts.some(({ kind, status }) => kind === "REVOKE" && status === "FAILED");
    erasedAt = erasedAt !== null && erasedAt > at ? erasedAt : at;
  }
  return { unfinished, connections, posts, appMayRemain, erasedAt };
}
