import { SearchClientsDocument, type SearchClientsQuery } from "../_generated/clientList.ts";
import { OverviewDocument, type OverviewQuery, RecentEntriesDocument } from "../_generated/overview.ts";
import type { Document, VariablesOf } from "../api/document.ts";
import { bodyOf } from "../early/earlyRequests.ts";
import { type Attention, findAttention, NOTHING_TO_DO, pageOf, searchOf } from "../pages/overview/attention.ts";

/** A row in the frame of index.html. */
export interface FirstRow {
  readonly title: string;
  readonly detail: string;
  /** Path of the panel. */
  readonly path?: string;
}

export interface FirstPage {
  readonly title: string;
  readonly section?: string;
  /** The rows in the response to the first request. */
  readonly rows: (data: unknown, now: Date) => readonly FirstRow[];
  /** What the page requests first, exactly as the page sends it. */
  readonly requests: readonly string[];
}

function body<Variables>(document: Document<unknown, Variables>, ...[variables]: VariablesOf<Variables>): string {
  return bodyOf(document.toString(), variables);
}

function pathOf(link: Attention["link"]): string {
  const query = new URLSearchParams({ ...searchOf(link) });
  return query.size === 0 ? pageOf(link) : `${pageOf(link)}?${query}`;
}

/** The pages that admins open most, by path. Their first rows are shown before the panel's code has loaded. */
export const FIRST_PAGES: Readonly<Record<string, FirstPage>> = {
  "/": {
    title: "Overview",
    section: "Needs attention",
    requests: [body(OverviewDocument), body(RecentEntriesDocument)],
    rows: (data, now) => {
      const found = findAttention(data as OverviewQuery, now);
      return found.length === 0
        ? [NOTHING_TO_DO]
        : found.map(({ title, detail, link }) => ({ title, detail, path: pathOf(link) }));
    },
  },
  "/clients": {
    title: "Clients",
    requests: [body(SearchClientsDocument, { text: "", orderBy: "SLUG", descending: false, after: null })],
    rows: (data) =>
      (data as SearchClientsQuery).page.items.map(({ id, displayName, slug }) => ({
        title: displayName,
        detail: slug,
        path: `/clients/${id}`,
      })),
  },
};
