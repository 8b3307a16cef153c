import { EVENT_TYPE_NAMES, type EventTypeName } from "@social-connect/contract";

/** The filters of the list of events, as its URL has them. */
export interface EventsSearch {
  readonly type?: EventTypeName;
  /** The complete id of a user. */
  readonly user?: string;
  readonly failed?: true;
}

/** The filters in the URL; empty and unknown ones are ignored. */
export function eventsSearch(given: Readonly<Record<string, unknown>>): EventsSearch {
  const type = EVENT_TYPE_NAMES.find((name) => name === given["type"]);
  // The router parses numeric values as numbers.
  const user = String(given["user"] ?? "").trim();
  return {
    ...(type === undefined ? {} : { type }),
    ...(user === "" ? {} : { user }),
    ...(given["failed"] === true ? { failed: true } : {}),
  };
}
