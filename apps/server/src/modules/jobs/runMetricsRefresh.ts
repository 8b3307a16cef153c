import type { RowKey } from "../rowKey.ts";
import type { Service } from "../service.ts";
import { deletedPost, type ReadResult } from "./recordRead.ts";
import { type ReadContext, runRead } from "./runRead.ts";

/** Rereads a stored post with its metrics. Source: service description, part 4, requestRefresh. */
export async function runMetricsRefresh(service: Service, job: RowKey): Promise<void> {
  await runRead(service, job, readPost);
}

async function readPost({ service, job, adapter, call, withMetrics }: ReadContext): Promise<ReadResult> {
  const id = job.targetContentId;
  if (id === null) throw new Error("The metrics job has no post.");
  const observedAt = await service.clock.now();
  const { items } = await call((session) => adapter.readContent(session, { providerContentIds: [id], withMetrics }));
  const item = items.find((candidate) => candidate.providerContentId === id);
  if (item === undefined || item.reason === "DELETED_AT_PROVIDER") return deletedPost(id);
  return { outcome: "succeeded", observed: [{ item, observedAt }] };
}
