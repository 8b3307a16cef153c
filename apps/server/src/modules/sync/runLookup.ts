import type { LookupTarget } from "@social-connect/domain";
import type { Service } from "../service.ts";
import { parseLookupTarget } from "./lookupTarget.ts";
import type { ReadResult } from "./recordRead.ts";
import type { ReadContext } from "./runRead.ts";
import { runRead } from "./runRead.ts";
import { isObserved } from "./store.ts";

/**
 * Finds the post that a lookup's URL named, and observes it. A post that was observed before and is gone at the provider
 * is still found: as one that is no longer available. Source: service description, part 4, requestContentLookup.
 */
export async function runLookup(service: Service, jobId: string): Promise<void> {
  await runRead(service, jobId, lookUp);
}

async function lookUp(context: ReadContext): Promise<ReadResult> {
  const { service, job, adapter, call, withMetrics } = context;
  const target = parseLookupTarget(job.lookupTarget);
  const observedAt = await service.clock.now();
  const found = await call((session) => adapter.lookupContent(session, { target, withMetrics }));
  switch (found.outcome) {
    case "not-owned":
      return { outcome: "failed", errorCode: "CONTENT_NOT_OWNED" };
    case "not-found":
      return gone(context, target);
    case "found": {
      const { item } = found;
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

async function gone({ service, connection }: ReadContext, target: LookupTarget): Promise<ReadResult> {
  if (target.kind !== "id" || !(await isObserved(service.prisma, connection.id, target.value))) {
    return { outcome: "failed", errorCode: "CONTENT_NOT_FOUND" };
  }
  return {
    outcome: "succeeded",
    deleted: [target.value],
    job: { resultProviderContentId: target.value, incompleteReason: "DELETED_AT_PROVIDER" },
  };
}
