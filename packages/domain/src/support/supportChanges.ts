import type { ErrorCode } from "@social-connect/contract";
import { type AuditedConnection, about, aboutClient, aboutConnection } from "../audit/about.ts";
import type { AuditRecord } from "../audit/auditRecord.ts";
import { type AuditChange, changesOf, NOTHING_CHANGED } from "../audit/changes.ts";
import { isDisconnected } from "../connections/connection.ts";
import { checkContentAccess, NEEDED_CAPABILITIES, type ServedFrom } from "../connections/connectionAccess.ts";
import type { ConnectionListFilter } from "../connections/connectionList.ts";
import type { AuditedChange } from "../decisions/change.ts";
import { type AdminRefusal, conflict, invalidField, refuseField } from "../decisions/refusal.ts";
import { defaultScan } from "../jobs/backgroundReads.ts";
import type { JobKind } from "../jobs/job.ts";
import type { NewRead } from "../jobs/refresh.ts";
import { providerName } from "../providers/providerTraits.ts";
import { characterCount, checkName } from "../text/text.ts";
import type { SupportedConnection } from "./supportFacts.ts";

/** Longest reason of an admin, in Unicode characters. */
export const MOST_REASON_CHARACTERS = 200;

/** Why an admin opens or changes a user's connection: a ticket, a correlation id or a few words. */
export function checkSupportReason(reason: string): AdminRefusal | null {
  const length = characterCount(reason);
  if (length > MOST_REASON_CHARACTERS) {
    return invalidField(
      "reason",
      `The reason must have at most ${MOST_REASON_CHARACTERS} characters. It has ${length}.`,
    );
  }
  return refuseField("reason", checkName(reason, "reason", { maxLength: MOST_REASON_CHARACTERS }));
}

/** What an admin searches with: by the user's id at the client or its beginning, or by an id of the service. */
export type SupportSearch = "connections" | "attempts" | "suggestions" | "people" | "reference";

/** Longest text that an admin can search for, in UTF-16 code units. */
export const MOST_SEARCHED_CHARACTERS = 256;

/** How many users are suggested, or found by their id, at most. */
export const MOST_PEOPLE = 8;

/** Fewer characters are more likely part of a word than of an id. */
export const SHORTEST_ID_PART = 4;

const SEARCHES: Readonly<Record<SupportSearch, string>> = {
  connections: "Searched for the connections of a user.",
  attempts: "Searched for the connect attempts of a user.",
  suggestions: "Was shown ids of users while typing.",
  people: "Searched for a user in all clients.",
  reference: "Looked up an id.",
};

/** The audit entry of a search in a client's connections. It does not contain the text that was searched for. */
export function connectionsSearched(client: { readonly id: string; readonly slug: string }, search: SupportSearch) {
  return aboutClient(client, "Connections searched", SEARCHES[search], NOTHING_CHANGED);
}

/** The names and values of the filters of a list, which a summary names without those that identify a user. */
export type ListedFilters = Readonly<Record<string, string>>;

/** The audit entry of the list of connections, which shows ids of users. */
export function connectionsListed(
  admin: { readonly id: string; readonly email: string },
  filters: ListedFilters,
): AuditRecord {
  const summary = `${admin.email} opened the list of connections${filtersText(filters)}.`;
  return { ...about("ADMIN", admin.id, "Connections listed", summary, NOTHING_CHANGED), ...ofClient(filters) };
}

export function connectionsExported(
  admin: { readonly id: string; readonly email: string },
  count: number,
  filters: ListedFilters,
): AuditRecord {
  const summary = `${admin.email} exported ${count} connections as CSV${filtersText(filters)}.`;
  return { ...about("ADMIN", admin.id, "Connections exported", summary, NOTHING_CHANGED), ...ofClient(filters) };
}

const NOT_IN_SUMMARIES: readonly string[] = ["externalSubjectId", "handle"] satisfies (keyof ConnectionListFilter)[];

function filtersText(filters: ListedFilters): string {
  const texts = Object.entries(filters).map(([name, value]) =>
    NOT_IN_SUMMARIES.includes(name) ? name : `${name} ${value}`,
  );
  return texts.length === 0 ? "" : ` (${texts.join(", ")})`;
}

function ofClient({ clientSlug }: ListedFilters): { readonly clientSlug?: string } {
  return clientSlug === undefined ? {} : { clientSlug };
}

/** How long a page may refresh a connection that an admin opened. Afterwards another view is recorded. */
export const SUPPORT_VIEW_MS = 15 * 60_000;

export const VIEW_ENDED: AdminRefusal = {
  code: "NOT_FOUND",
  message: "You have not opened this connection within the last 15 minutes. Open it again.",
};

export function connectionViewed(connection: AuditedConnection, reason: string): AuditRecord {
  const summary = `Viewed the connection at ${providerName(connection.provider)}: ${reason}`;
  return aboutConnection(connection, "Connection viewed", summary, NOTHING_CHANGED);
}

export function connectionDisconnected(
  connection: AuditedConnection,
  reason: string,
  changes: readonly AuditChange[],
): AuditRecord {
  const summary = `Disconnected the connection at ${providerName(connection.provider)} for its user: ${reason}`;
  return aboutConnection(connection, "Connection disconnected", summary, changes);
}

export function checkDisconnectForUser({ status }: Pick<SupportedConnection, "status">): AdminRefusal | null {
  return isDisconnected(status) ? conflict("ALREADY_PRESENT", "The connection is disconnected already.") : null;
}

/** A scan of the default window that an admin starts. It counts against no limit of the client. */
export function decideRescan(
  connection: AuditedConnection & Pick<SupportedConnection, "status"> & ServedFrom,
  facts: { readonly recheckCode: ErrorCode | null; readonly inFlight: readonly JobKind[]; readonly reason: string },
  now: Date,
): AdminRefusal | AuditedChange<object, NewRead> {
  if (isDisconnected(connection.status)) return conflict(null, "The connection is disconnected.");
  const refusal = checkContentAccess(connection, NEEDED_CAPABILITIES.refreshScan, facts.recheckCode);
  if (refusal !== null) return conflict(null, `A scan would fail with ${refusal.code}. ${refusal.message}`);
  if (facts.inFlight.includes("SCAN"))
    return conflict("ALREADY_PRESENT", "A scan is in progress or waits. Retry its job.");
  const summary = `Started a scan of the connection at ${providerName(connection.provider)}: ${facts.reason}`;
  return {
    patch: {},
    followUps: [defaultScan(now)],
    audit: aboutConnection(connection, "Connection rescanned", summary, changesOf(null, { scan: "QUEUED" })),
  };
}
