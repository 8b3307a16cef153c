import type { RowKey } from "../rowKey.ts";
import type { Service } from "../service.ts";

/** Sends an event to an endpoint once, and stores how that ended. */
export async function deliverEvent(_service: Service, _delivery: RowKey): Promise<void> {}
