import type { SubjectScope } from "@social-connect/domain";
import {
  AppError,
  checkContentAccess,
  enforce,
  INVALID_CONTENT_ID,
  isStorableText,
  NEEDED_CAPABILITIES,
} from "@social-connect/domain";
import type { Caller } from "../applications/authenticate.ts";
import { loadConnection } from "../connections/accessConnection.ts";
import { recheck } from "../connections/accessRow.ts";
import type { Service } from "../service.ts";
import type { ContentItemShown } from "./contentItem.ts";
import { showContentItem } from "./contentItem.ts";
import { findContentItem } from "./store.ts";

/**
 * Returns a stored post by the provider's ID; null if it was never observed. Source: service description, part 4,
 * contentItem.
 */
export async function readContentItem(
  service: Service,
  caller: Caller,
  scope: SubjectScope,
  connectionId: string,
  providerContentId: string,
): Promise<ContentItemShown | null> {
  if (!isStorableText(providerContentId)) {
    throw new AppError(INVALID_CONTENT_ID);
  }
  const find = (id: string) => findContentItem(service.pool, caller.application.id, scope, id, providerContentId);
  const [row, now] = await loadConnection(service, connectionId, find);
  enforce(checkContentAccess(row, NEEDED_CAPABILITIES.contentItem, recheck(row, caller, now)));
  return row.post === null ? null : showContentItem(row.post, row, now);
}
