import {
  AppError,
  checkSubjectScope,
  enforce,
  INVALID_CONTENT_ID,
  isStorableText,
  NEEDED_CAPABILITIES,
  type SubjectScope,
} from "@social-connect/domain";
import type { World } from "../../world/world.ts";
import type { Caller } from "../applications/authenticate.ts";
import { checkAccess, findConnection, recheck, withOffered } from "../connections/access.ts";
import { showContentItem } from "./showContentItem.ts";

/** One stored post by the provider's post id; null for a post that was never read. Source: service description, part 4, contentItem. */
export function readContentItem(
  world: World,
  caller: Caller,
  scope: SubjectScope,
  connectionId: string,
  providerContentId: string,
) {
  enforce(checkSubjectScope(scope));
  if (!isStorableText(providerContentId)) {
    throw new AppError(INVALID_CONTENT_ID);
  }
  const connection = findConnection(world, caller, scope, connectionId);
  const code = recheck(world, connection, caller.application);
  enforce(checkAccess(world, connection, NEEDED_CAPABILITIES.contentItem, code));
  const post = world.state.content.get(connection.id)?.get(providerContentId);
  return post === undefined ? null : showContentItem(post, withOffered(world, connection), world.now());
}
