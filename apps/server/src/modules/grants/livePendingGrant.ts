import type { RowKey } from "../rowKey.ts";
import type { Service } from "../service.ts";
import { type LiveGrant, liveGrant } from "./liveGrant.ts";
import { findGrant } from "./store.ts";

/** Opens a grant that has no connection yet; see `liveGrant`. */
export function livePendingGrant(service: Service, grant: RowKey, rejectedVersion: number | null): Promise<LiveGrant> {
  return liveGrant(service, () => findGrant(service.prisma, grant), rejectedVersion);
}
