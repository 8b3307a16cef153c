import { NEEDED_CAPABILITIES, type SubjectScope, servedCapabilities } from "@social-connect/domain";
import type { Reader } from "../applications/readForKey.ts";
import { enforceContentAccess, loadConnection } from "../connections/accessConnection.ts";
import type { Service } from "../service.ts";
import { type ContentItemShown, showContentItem } from "./contentItem.ts";
import { findContentItem } from "./store.ts";

/**
 * Returns a stored post by the provider's ID; null if it was never observed. Source: service description, part 4,
 * contentItem.
 */
export async function readContentItem(
  service: Service,
  reader: Reader,
  scope: SubjectScope,
  connectionId: string,
  providerContentId: string,
): Promise<ContentItemShown | null> {
  const find = (connection: string, now: Date) =>
    findContentItem(service, reader, scope, { connectionId: connection, providerContentId }, now);
  const found = await loadConnection(service, connectionId, find);
  enforceContentAccess(found, scope, NEEDED_CAPABILITIES.contentItem);
  const { row, now } = found;
  return row.post && showContentItem(row.post, row.provider, servedCapabilities(row), now);
}
