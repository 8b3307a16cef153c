import type { LookupTarget } from "@social-connect/domain";
import type { Connection } from "../../_generated/prisma/client.ts";
import type { RowKey } from "../rowKey.ts";
import type { Service } from "../service.ts";
import { examineHidden } from "./examineHidden.ts";
import type { ReadContext } from "./readContext.ts";
import { parseLookupTarget } from "./readJobs.ts";
import { deletedPost, type ReadResult } from "./recordRead.ts";
import { runRead } from "./runRead.ts";
import { findIdByAddress } from "./store.ts";

/**
 * Looks up and observes the post at a URL. If the provider deleted the post, the lookup fails and marks the stored post
 * as deleted in the same transaction. A post that the provider does not show for another or an unknown reason is unchanged. Source: service description,
 * part 4, requestContentLookup.
 */
export async function runLookup(service: Service, job: RowKey): Promise<void> {
  await runRead(service, job, lookUp);
}

async function lookUp(context: ReadContext): Promise<ReadResult> {
  const { service, connection, adapter, call, withMetrics } = context;
  const target = await storedTarget(service, connection, parseLookupTarget(context.job.lookupTarget));
  const observedAt = await service.clock.now();
  const found = await call((session) => adapter.lookupContent(session, { target, withMetrics }));
  switch (found.outcome) {
    case "not-owned":
      return { outcome: "failed", errorCode: "CONTENT_NOT_OWNED" };
    case "refused":
      return { outcome: "failed", errorCode: "CONTENT_NOT_FOUND", refusedCall: found.refusal ?? null };
    case "unproven":
      return target.kind === "id" ? examineHidden(context, target.value) : deletedPost(null);
    case "not-found":
      return deletedPost(target.kind === "id" ? target.value : null);
    case "found": {
      const { item } = found;
      if (item.reason === "DELETED_AT_PROVIDER") return deletedPost(item.providerContentId);
      return {
        outcome: "succeeded",
        observed: [{ item, observedAt }],
        job: {
          resultProviderContentId: item.providerContentId,
          incompleteReason: item.availability === "AVAILABLE" ? null : item.reason,
        },
      };
    }
  }
}

/** Looks up a stored post's short code by post ID: one call, which also reports deletion. */
async function storedTarget(service: Service, connection: Connection, target: LookupTarget): Promise<LookupTarget> {
  if (target.kind === "id") return target;
  const id = await findIdByAddress(service, connection, target);
  return id === null ? target : { kind: "id", value: id };
}
