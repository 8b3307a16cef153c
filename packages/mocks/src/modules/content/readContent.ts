import type { ScanIncompleteReason, SocialProvider } from "@social-connect/contract";
import {
  type ContentWindowInput,
  completeness,
  contentItemAsRead,
  contentQuery,
  enforce,
  isContentExpired,
  mayHaveExpiredFrom,
  NEEDED_CAPABILITIES,
  type ScanRecord,
  type ServedFrom,
  type SubjectScope,
  servedCapabilities,
} from "@social-connect/domain";
import type { Connection, StoredPost } from "../../state/state.ts";
import type { World } from "../../world/world.ts";
import { pageOf } from "../admin/page.ts";
import type { Caller } from "../applications/authenticate.ts";
import { checkAccess, findConnection, recheck, withOffered } from "../connections/access.ts";
import { openCursor } from "../cursor.ts";
import { jobsOf } from "../jobs/createJob.ts";
import { storedPosts } from "../jobs/storeContent.ts";

/** A stored post as the API returns it at `now`. */
function showContentItem(
  post: StoredPost,
  { provider, ...connection }: { readonly provider: SocialProvider } & ServedFrom,
  now: Date,
) {
  const { observedAt, metricsObservedAt = observedAt } = post;
  return contentItemAsRead({ ...post, provider }, metricsObservedAt, now, servedCapabilities(connection));
}

/** Number of scans that are considered for completeness. */
const MAX_SCANS = 50;

/**
 * Stored posts published inside a window, newest first, and whether the window is complete. Never calls a provider. Source: service description, parts 2 (ContentWindow, ContentPage) and 4 (content).
 */
export function readContent(
  world: World,
  caller: Caller,
  scope: SubjectScope,
  connectionId: string,
  window: ContentWindowInput & { readonly after?: string | null },
) {
  const binding = contentQuery(caller.application.id, connectionId, window);
  // An invalid cursor is reported before anything else.
  if (window.after != null) openCursor(world, binding, window.after);
  const connection = findConnection(world, caller, scope, connectionId);
  const code = recheck(world, connection, caller.application);
  enforce(checkAccess(world, connection, NEEDED_CAPABILITIES.content, code));

  const now = world.now();
  const owner = withOffered(world, connection);
  const served = storedPosts(world, connection.id, window).filter((post) => !isContentExpired(post.observedAt, now));
  const hasExpiredContent = storedPosts(world, connection.id).some((post) =>
    mayHaveExpiredFrom(window, post.observedAt, now),
  );
  const isAfter = (post: StoredPost, position: string) => positionOf(post) < position;
  const { items, pageInfo } = pageOf(world, served, window, { binding, positionOf, isAfter });
  return {
    items: items.map((post) => showContentItem(post, owner, now)),
    pageInfo: {
      ...pageInfo,
      endCursor: pageInfo.endCursor ?? window.after ?? null,
      ...completeness(window, scansOf(world, connection), now, { hasExpiredContent }),
    },
    lastSuccessfulSyncAt: connection.lastSuccessfulSyncAt,
  };
}

function positionOf({ publishedAt, id }: StoredPost): string {
  return `${publishedAt?.toISOString() ?? ""} ${id}`;
}

function scansOf(world: World, connection: Connection): ScanRecord[] {
  const scans = jobsOf(world, connection.id).filter((job) => job.kind === "SCAN");
  return scans.slice(-MAX_SCANS).flatMap((scan) => {
    if (scan.window === null) return [];
    return {
      ...scan,
      window: scan.window,
      waitingToRetry: scan.status === "QUEUED" && scan.nextRetryAt !== null,
      completeForWindow: scan.completeForWindow === true,
      // Scans only have these reasons.
      incompleteReason: scan.incompleteReason as ScanIncompleteReason | null,
    };
  });
}

/** One stored post by the provider's post id; null for a post that was never read. Source: service description, part 4, contentItem. */
export function readContentItem(
  world: World,
  caller: Caller,
  scope: SubjectScope,
  connectionId: string,
  providerContentId: string,
) {
  const connection = findConnection(world, caller, scope, connectionId);
  const code = recheck(world, connection, caller.application);
  enforce(checkAccess(world, connection, NEEDED_CAPABILITIES.contentItem, code));
  const post = world.state.content.get(connection.id)?.get(providerContentId);
  return post === undefined ? null : showContentItem(post, withOffered(world, connection), world.now());
}
