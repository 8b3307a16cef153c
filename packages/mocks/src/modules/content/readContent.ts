import type { ScanIncompleteReason } from "@social-connect/contract";
import type { ContentWindowInput, ScanRecord, SubjectScope } from "@social-connect/domain";
import {
  asUuid,
  checkContentWindow,
  checkSubjectScope,
  completeness,
  enforce,
  isContentExpired,
  isInsideWindow,
  mayHaveExpiredFrom,
  NEEDED_CAPABILITIES,
} from "@social-connect/domain";
import type { Connection, Job, StoredPost } from "../../state/state.ts";
import type { World } from "../../world/world.ts";
import type { Caller } from "../applications/authenticate.ts";
import { checkAccess, findConnection, recheck, withOffered } from "../connections/access.ts";
import { openCursor, sealCursor } from "../cursor.ts";
import { showContentItem } from "./showContentItem.ts";

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
  enforce(checkSubjectScope(scope));
  enforce(checkContentWindow(window));
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
  const stored = [...(world.state.content.get(connection.id)?.values() ?? [])];
  const served = postsInside(stored, window).filter((post) => !isContentExpired(post.observedAt, now));
  const hasExpiredContent = stored.some((post) => mayHaveExpiredFrom(window, post.observedAt, now));
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

/** Newest first, ties broken by id. */
function postsInside(stored: readonly StoredPost[], window: ContentWindowInput): StoredPost[] {
  return stored
    .filter((post) => post.publishedAt !== null && isInsideWindow(post.publishedAt, window))
    .sort((one, other) => timeOf(other) - timeOf(one) || (one.id < other.id ? 1 : -1));
}

function timeOf({ publishedAt }: StoredPost): number {
  return publishedAt?.getTime() ?? 0;
}

function positionOf(post: StoredPost): string[] {
  return [new Date(timeOf(post)).toISOString(), post.id];
}

function isBefore([time = "", id = ""]: readonly string[], [otherTime = "", otherId = ""]: readonly string[]): boolean {
  return time === otherTime ? id < otherId : time < otherTime;
}

function scansOf(world: World, connection: Connection): ScanRecord[] {
  const scans: Job[] = [];
  for (const job of world.state.jobs.values()) {
    if (job.connectionId === connection.id && job.kind === "SCAN") scans.push(job);
  }
  return scans.slice(-MAX_SCANS).flatMap((scan) =>
    scan.window === null
      ? []
      : [
          {
            status: scan.status,
            waitingToRetry: scan.status === "QUEUED" && scan.nextRetryAt !== null,
            window: scan.window,
            completeForWindow: scan.completeForWindow === true,
            // Scans only have these reasons.
            incompleteReason: scan.incompleteReason as ScanIncompleteReason | null,
            coveredSince: scan.coveredSince,
            finishedAt: scan.finishedAt,
          },
        ],
  );
}
