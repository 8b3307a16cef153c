import type { SubjectScope } from "../applications/scope.ts";
import type { PublicationWindow } from "../content/window.ts";
import type { CursorQuery } from "../decisions/cursorQuery.ts";
import { asUuid } from "../text/ids.ts";

/** The list of a subject's connections. */
export function connectionsQuery(applicationId: string, { tenantKey, externalSubjectId }: SubjectScope): CursorQuery {
  return ["connections", applicationId, ["tenantKey", tenantKey], ["externalSubjectId", externalSubjectId]];
}

/** The list of a connection's posts in a window. */
export function contentQuery(
  applicationId: string,
  connectionId: string,
  { publishedAfter, publishedBefore }: PublicationWindow,
): CursorQuery {
  return [
    "content",
    applicationId,
    ["connectionId", asUuid(connectionId) ?? ""],
    ["publishedAfter", publishedAfter.toISOString()],
    ["publishedBefore", publishedBefore.toISOString()],
  ];
}
