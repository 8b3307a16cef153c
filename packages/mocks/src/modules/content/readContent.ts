import type { ScanIncompleteReason, SocialProvider } from "@social-connect/contract";
import {
  asUuid,
  type ContentWindowInput,
  completeness,
  contentItemAsRead,
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
import type { Caller } from "../applications/authenticate.ts";
import { checkAccess, findConnection, recheck, withOffered } from "../connections/access.ts";
import { openCursor, sealCursor } from "../cursor.ts";
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
  const { publishedAfter, publishedBefore } = window;
  const binding = [
    "content",
    caller.application.id,
    asUuid(connectionId) ?? "",
    publishedAfter.toISOString(),
    publishedBefore.toISOString(),
  ];
  const after = window.after == null ? null : openCursor(world, binding, window.after);
  const connection = findConnection(world, caller, scope, connectionId);
  const code = recheck(world, connection, caller.application);
  enforce(checkAccess(world, connection, NEEDED_CAPABILITIES.content, code));

  const now = world.now();
  const owner = withOffered(world, connection);
  const served = storedPosts(world, connection.id, window).filter((post) => !isContentExpired(post.observedAt, now));
  const hasExpiredContent = storedPosts(world, connection.id).some((post) =>
    mayHaveExpiredFrom(window, post.observedAt, now),
  );
  const rest = after === null ? served : served.filter((post) => isBefore(positionOf(post), after));
  const shown = rest.slice(0, window.first);
  const last = shown.at(-1);
  return {
    items: shown.map((post) => showContentItem(post, owner, now)),
    pageInfo: {
      endCursor: last === undefined ? (window.after ?? null) : sealCursor(world, binding, positionOf(last)),
      hasNextPage: rest.length > window.first,
      ...completeness(window, scansOf(world, connection), now, { hasExpiredContent }),
    },
    lastSuccessfulSyncAt: connection.lastSuccessfulSyncAt,
  };
}

function positionOf({ publishedAt, id }: StoredPost): string[] {
  return [publishedAt?.toISOString() ?? "", id];
}

function isBefore([time = "", id = ""]: readonly string[], [otherTime = "", otherId = ""]: readonly string[]): boolean {
  return time === otherTime ? id < otherId : time < otherTime;
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
