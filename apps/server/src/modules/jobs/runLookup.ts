import type { LookupTarget } from "@social-connect/domain";
import type { Connection } from "../../_generated/prisma/client.ts";
import type { Service } from "../service.ts";
import { parseLookupTarget } from "./lookupTarget.ts";
import type { ReadResult } from "./recordRead.ts";
import { gone } from "./recordRead.ts";
import type { ReadContext } from "./runRead.ts";
import { runRead } from "./runRead.ts";
import { findIdByAddress } from "./store.ts";

/**
 * Finds the post that a lookup's URL named, and observes it. The lookup of a post that is gone at the provider fails, and
 * marks the stored one as deleted in the same transaction. Source: service description, part 4, requestContentLookup.
 */
export async function runLookup(service: Service, jobId: string): Promise<void> {
  await runRead(service, jobId, lookUp);
}

async function lookUp(context: ReadContext): Promise<ReadResult> {
  const { service, connection, adapter, call, withMetrics } = context;
  const target = await storedTarget(service, connection, parseLookupTarget(context.job.lookupTarget));
  const observedAt = await service.clock.now();
  const found = await call((session) => adapter.lookupContent(session, { target, withMetrics }));
  switch (found.outcome) {
    case "not-owned":
      return { outcome: "failed", errorCode: "CONTENT_NOT_OWNED" };
    case "not-found":
      return gone(target.kind === "id" ? target.value : null);
    case "found": {
      const { item } = found;
      if (item.reason === "DELETED_AT_PROVIDER") return gone(item.providerContentId);
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

/** A short code of a post that is stored is looked up by the post's id: one call, and the provider says whether it is gone. */
async function storedTarget(service: Service, connection: Connection, target: LookupTarget): Promise<LookupTarget> {
  if (target.kind === "id") return target;
  const id = await findIdByAddress(service, connection, target);
  return id === null ? target : { kind: "id", value: id };
}
