import { concernedConnections } from "@social-connect/domain";
import type { OverviewQuery } from "../../_generated/overview.ts";
import { describeConnectResult, describeJobError } from "../../ui/codeDescriptions.ts";
import { type ConnectionsSearch, connectionsSearch } from "../../ui/connectionsSearch.ts";
import { formatDay, formatDayAndTime, formatTime } from "../../ui/dates.ts";
import { capitalize, PROVIDER_NAMES } from "../../ui/labels.ts";
import { formatRelativeTime } from "../../ui/relativeTime.ts";

export type Incident = OverviewQuery["overview"]["incidents"][number];

/** The page that shows or resolves the problem. */
export type AttentionLink =
  | { readonly to: "/registrations" | "/health" | "/api-keys" }
  | { readonly to: "/connections"; readonly search: ConnectionsSearch }
  | { readonly to: "registration"; readonly registrationId: string }
  | { readonly to: "api key"; readonly keyId: string }
  | { readonly to: "client keys"; readonly clientId: string };

export interface IncidentText {
  readonly severity: "bad" | "soon";
  readonly title: string;
  /** The numbers, and what to do. */
  readonly detail: string;
  readonly link: AttentionLink;
  /** Whom it concerns, with the list of them; null if it concerns no connections or clients. */
  readonly affected: LinkedText | null;
  /** The registration under which it fails, if `link` is another page. */
  readonly registration: LinkedText | null;
  /** The provider's answer, what users are told, and how it ends. */
  readonly notes: readonly string[];
}

export interface LinkedText {
  readonly text: string;
  /** null without a page of it. */
  readonly link: AttentionLink | null;
}

interface CauseText {
  /** What is wrong, without the provider. `share` is a percentage. */
  readonly problem: (share: string, incident: Incident) => string;
  /** What is counted, for a rate. */
  readonly noun?: string;
  readonly advice: (incident: Incident) => string;
  /** How it ends. A time without calls ends no incident, and neither does what works under another registration. */
  readonly ends: string;
  /** What the service does at its end. */
  readonly after?: string;
  readonly severity?: "soon";
}

/** What the service does to see whether it is over. */
const LOOKS: Readonly<Record<NonNullable<Incident["looks"]>, string>> = {
  EVERY_MINUTE: "Until then one of its connections is read once a minute.",
  LIMITED: "No connection is read until the quota or the provider’s limit allows it, and then one a minute.",
  PAUSED: "The registration is paused: nothing is read until it is published.",
  NONE_READABLE: "None of its connections can be read now, so nobody looks until one can.",
  NO_CONNECTION: "The registration has no connection left, so it also ends an hour after its latest failure.",
};
const READ_ENDS = "It ends with reads of this registration that succeed.";
const SOON = "What waited is then read within ten minutes.";

const TEXTS: Readonly<Record<Incident["cause"], CauseText>> = {
  PROVIDER_CALLS_FAIL: {
    problem: (share) => `${share} of calls fail`,
    noun: "calls",
    advice: () => "Check the provider’s status page. Reads are retried until it responds.",
    ends: "It ends with the first calls of this registration that are answered.",
    after: SOON,
  },
  CONNECT_ATTEMPTS_FAIL: {
    problem: (share) => `${share} of connect attempts fail`,
    noun: "attempts",
    advice: ({ detail }) => `${detail}: ${describeConnectResult(detail ?? "").text}`,
    ends: "It ends when accounts are connected again with this registration. Connect one to see whether it works.",
  },
  JOBS_FAIL: {
    problem: (share) => `${share} of jobs fail`,
    noun: "jobs",
    advice: ({ detail }) => `${detail}: ${describeJobError(detail ?? "").text}`,
    ends: READ_ENDS,
  },
  JOBS_ERROR: {
    problem: (share) => `${share} of job attempts end with an unexpected error`,
    noun: "attempts",
    advice: () => "The log of the worker has the errors.",
    ends: "It ends with attempts of this registration without an error.",
  },
  SERVICE_FAULT: {
    problem: (share) => `${share} of attempts fail because of the service itself`,
    noun: "attempts",
    advice: () => "The log of the worker names the fault. Run `social-connect doctor` on its machine.",
    ends: READ_ENDS,
  },
  RECONNECTS_REQUIRED: {
    problem: (share) => `${share} of jobs find that the consent has ended`,
    noun: "jobs",
    advice: () =>
      "The list has all connections that need a reconnect now. Check that the registration’s client was not changed at the provider. Users have to reconnect.",
    ends: READ_ENDS,
    severity: "soon",
  },
  API_CALLS_FAIL: {
    problem: (share) => `${share} of the applications’ calls fail`,
    noun: "calls",
    advice: () => "The log of the API has the errors. Check the database.",
    ends: "It ends with calls of applications that succeed.",
  },
  QUOTA_USED_UP: {
    problem: (_share, { detail }) => `the quota ${detail === "client" ? "" : `for ${detail} `}is used up`,
    advice: () => "Reads wait until it resets. Raise the quota if the provider allows more.",
    ends: "It ends when the quota resets, or with a higher quota.",
  },
  JOBS_STUCK: {
    problem: () => "jobs wait for a worker",
    advice: () => "Check that a worker is running and can connect to the database.",
    ends: "It ends when a worker takes the job that waits longest.",
  },
  SWEEP_LATE: {
    problem: (_share, { detail }) => `the sweep ${detail} has not succeeded`,
    advice: () => "The log of the worker has its error.",
    ends: "It ends when the sweep succeeds.",
    severity: "soon",
  },
  REGISTRATION_REFUSED: {
    problem: () => "a registration is refused",
    advice: () =>
      "Its row was changed outside of the service, or its secret cannot be decrypted. Check its addresses, and enter its client secret again.",
    ends: "It ends when its client secret is entered again.",
  },
  APPLICATION_REFUSED: {
    problem: () => "the provider refuses our client",
    advice: ({ detail }) =>
      `${detail === null ? "" : `The provider’s code and message: ${detail}. `}Check the application at the provider: it can be blocked, under review or over a limit, or its client id or secret can be wrong. No account can be read until then, and users cannot change it.`,
    ends: "It ends with the first call of this registration that the provider accepts.",
    after: SOON,
  },
  EVENT_ENDPOINT_FAILS: {
    problem: (_share, { detail }) => `events do not reach the backend of ${detail}`,
    advice: () =>
      "The client’s page shows why its deliveries fail. They are retried for three days, and an endpoint that fails for five days is turned off. Tell the owner of the backend.",
    ends: "It ends with the first event that the backend accepts, also a test event, or when the endpoint is turned off or removed.",
  },
};

const UNKNOWN: CauseText = { problem: () => "unknown incident", advice: () => "Reload the panel.", ends: "" };

/** One line per incident: what, how much, since when, and what to do. */
export function describeIncident(incident: Incident, now: Date): IncidentText {
  const { provider, begunAt, lastSeenAt, endedAt, failed, total } = incident;
  // A cause that was added after this page was loaded.
  const text = (TEXTS as Readonly<Record<string, CauseText>>)[incident.cause] ?? UNKNOWN;
  const { problem, noun = "", advice, ends, after = "", severity = "bad" } = text;
  const share = failed === null || !total ? "" : percent(failed, total);
  const what = problem(share, incident);
  const subject = provider === null ? capitalize(what) : `${PROVIDER_NAMES[provider]}: ${what}`;
  const times = endedAt === null ? `since ${timeText(begunAt, now)}` : rangeText(begunAt, endedAt, now);
  const numbers = failed === null || total === null ? "" : `${amount(failed)} of ${amount(total)} ${noun}. `;
  const seen =
    endedAt === null && failed !== null ? `Last seen ${formatRelativeTime(new Date(lastSeenAt), now)}. ` : "";
  const link = linkOf(incident);
  return {
    severity,
    title: `${subject} ${times}`,
    detail: `${numbers}${seen}${endedAt === null ? advice(incident) : ""}`.trim(),
    link,
    affected: affectedBy(incident),
    registration: link.to === "registration" ? null : registrationText(incident),
    notes: [...wordsOf(incident), [ends, looksText(incident), after].filter(Boolean).join(" ")].filter(Boolean),
  };
}

function looksText({ looks, cause }: Incident): string {
  if (looks === null) return "";
  // A refused client stays so until the provider accepts a call.
  const isRefused = cause === "APPLICATION_REFUSED" && looks === "NO_CONNECTION";
  return isRefused ? "The registration has no connection that could be read." : LOOKS[looks];
}

/** One line for incidents with one cause at several registrations of a provider. Each ends on its own, and has its own list. */
export function describeTogether(incidents: readonly Incident[], now: Date): IncidentText {
  const incident = incidents.reduce(addIncident);
  const { cause, provider, failed, affected } = incident;
  const search = connectionsSearch({ provider, status: "RECONNECT_REQUIRED" });
  return {
    ...describeIncident(incident, now),
    link:
      cause === "RECONNECTS_REQUIRED"
        ? { to: "/connections", search }
        : { to: failed === null ? "/registrations" : "/health" },
    affected: affected && { text: effectText(affected, "at most "), link: null },
    notes: wordsOf(incident),
  };
}

/** A connection has one registration, so connections add up. A client may have some of both, so the sum of clients is a bound. */
function addIncident(left: Incident, right: Incident): Incident {
  const [begunAt = left.begunAt] = [left.begunAt, right.begunAt].toSorted();
  const [, lastSeenAt = left.lastSeenAt] = [left.lastSeenAt, right.lastSeenAt].toSorted();
  const add = (one: number | null, other: number | null) => (one === null || other === null ? null : one + other);
  return {
    ...left,
    registrationId: null,
    begunAt,
    lastSeenAt,
    failed: add(left.failed, right.failed),
    total: add(left.total, right.total),
    answer: left.answer === right.answer ? left.answer : null,
    affected: left.affected &&
      right.affected && {
        connections: add(left.affected.connections, right.affected.connections),
        clients: left.affected.clients + right.affected.clients,
      },
  };
}

function wordsOf({ answer, userMessage }: Incident): readonly string[] {
  return [
    ...(answer === null ? [] : [`The provider’s answer: ${answer}`]),
    ...(userMessage === null ? [] : [`Users are told: “${userMessage}”`]),
  ];
}

/** What the list of connections shows of it. */
function listOf(incident: Incident): AttentionLink | null {
  const concerned = concernedConnections(incident);
  if (concerned === null) return null;
  const { clientSlug, registrationId, provider, status, syncStatus, errorCode, cause } = concerned;
  const search = {
    client: clientSlug,
    registration: registrationId,
    provider,
    status,
    scan: syncStatus,
    code: errorCode,
    cause,
  };
  return { to: "/connections", search: connectionsSearch(search) };
}

function affectedBy(incident: Incident): LinkedText | null {
  const { affected } = incident;
  // A list without an entry answers no question.
  return affected && { text: effectText(affected), link: affected.connections ? listOf(incident) : null };
}

function effectText({ connections, clients }: NonNullable<Incident["affected"]>, bound = ""): string {
  const who = `${bound}${counted(clients, "client")}`;
  if (connections === null) return `${capitalize(who)} concerned`;
  return connections === 0 ? "No connection is concerned" : `${counted(connections, "connection")} of ${who}`;
}

function counted(count: number, noun: string): string {
  return `${amount(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** The numbers of a rate are on the health page. */
function linkOf(incident: Incident): AttentionLink {
  const list = incident.cause === "RECONNECTS_REQUIRED" ? listOf(incident) : null;
  const registration = incident.failed === null ? registrationOf(incident) : null;
  return list ?? registration ?? { to: "/health" };
}

/** A provider may have several, and each its own incident. */
function registrationText(incident: Incident): LinkedText | null {
  const link = registrationOf(incident);
  return link && { text: `Registration with client id ${incident.clientIdHint}`, link };
}

function registrationOf({ registrationId }: Incident): AttentionLink | null {
  return registrationId === null ? null : { to: "registration", registrationId };
}

function percent(part: number, whole: number): string {
  const share = (part / whole) * 100;
  return `${share < 1 ? "less than 1" : Math.floor(share)} %`;
}

function amount(count: number): string {
  return count.toLocaleString("en");
}

/** Both days if they differ. */
function rangeText(from: string, until: string, now: Date): string {
  const isOneDay = formatDay(new Date(from)) === formatDay(new Date(until));
  const [first, last] = [from, until].map((at) => (isOneDay ? timeText(at, now) : dayAndTimeText(at)));
  return `from ${first} until ${last}`;
}

/** The time of day, with the day if it is not today. */
function timeText(at: string, now: Date): string {
  const date = new Date(at);
  return formatDay(date) === formatDay(now) ? `${formatTime(date)} UTC` : dayAndTimeText(at);
}

function dayAndTimeText(at: string): string {
  return `${formatDayAndTime(new Date(at))} UTC`;
}
