import {
  AppError,
  isLookupTarget,
  NEEDED_CAPABILITIES,
  parseLookupUrl,
  type SubjectScope,
} from "@social-connect/domain";
import type { Caller } from "../applications/checkKey.ts";
import { accessConnection } from "../connections/readConnection.ts";
import type { Service } from "../service.ts";
import type { SyncJobShown } from "./readSyncJob.ts";
import { startRead } from "./startRead.ts";

export interface LookupRequest {
  readonly scope: SubjectScope;
  readonly connectionId: string;
  readonly url: string;
}

/** Starts a lookup of the post at a URL. Source: service description, part 4, requestContentLookup. */
export async function requestContentLookup(
  service: Service,
  caller: Caller,
  { scope, connectionId, url }: LookupRequest,
): Promise<SyncJobShown> {
  const needed = NEEDED_CAPABILITIES.contentLookup;
  const { connection, now } = await accessConnection(service, caller, scope, connectionId, needed);
  const lookup = parseLookupUrl(url, connection.provider);
  if (!isLookupTarget(lookup)) throw new AppError(lookup);
  return startRead(service, caller, { connection, needed, target: { kind: "LOOKUP", lookup } }, now);
}
