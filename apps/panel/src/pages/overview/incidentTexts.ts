import type { OverviewQuery } from "../../_generated/overview.ts";
import { describeConnectResult, describeJobError } from "../../ui/codeDescriptions.ts";
import type { ConnectionsSearch } from "../../ui/connectionsSearch.ts";
import { formatDay, formatDayAndTime, formatTime } from "../../ui/dates.ts";
import { PROVIDER_NAMES } from "../../ui/labels.ts";
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
}

interface CauseText {
  /** What is wrong, without the provider. `share` is a percentage. */
  readonly problem: (share: string, incident: Incident) => string;
  readonly noun: string;
  readonly advice: (incident: Incident) => string;
  readonly severity?: "soon";
}

const TEXTS: Readonly<Record<Incident["cause"], CauseText>> = {
  PROVIDER_CALLS_FAIL: {
    problem: (share) => `${share} of calls fail`,
    noun: "calls",
    advice: () => "Check the provider’s status page. Reads are retried until it responds.",
  },
  CONNECT_ATTEMPTS_FAIL: {
    problem: (share) => `${share} of connect attempts fail`,
    noun: "attempts",
    advice: ({ detail }) => `${detail}: ${describeConnectResult(detail ?? "").text}`,
  },
  JOBS_FAIL: {
    problem: (share) => `${share} of jobs fail`,
    noun: "jobs",
    advice: ({ detail }) => `${detail}: ${describeJobError(detail ?? "").text}`,
  },
  JOBS_ERROR: {
    problem: (share) => `${share} of job attempts end with an unexpected error`,
    noun: "attempts",
    advice: () => "The log of the worker has the errors.",
  },
  SERVICE_FAULT: {
    problem: (share) => `${share} of attempts fail because of the service itself`,
    noun: "attempts",
    advice: () => "The log of the worker names the fault. Run `social-connect doctor` on its machine.",
  },
  RECONNECTS_REQUIRED: {
    problem: (share) => `${share} of jobs find that the consent has ended`,
    noun: "jobs",
    advice: () =>
      "The list has all connections that need a reconnect now. Check that the registration’s client was not changed at the provider. Users have to reconnect.",
    severity: "soon",
  },
  API_CALLS_FAIL: {
    problem: (share) => `${share} of the applications’ calls fail`,
    noun: "calls",
    advice: () => "The log of the API has the errors. Check the database.",
  },
  QUOTA_USED_UP: {
    problem: (_share, { detail }) => `the quota ${detail === "client" ? "" : `for ${detail} `}is used up`,
    noun: "",
    advice: () => "Reads wait until it resets. Raise the quota if the provider allows more.",
  },
  JOBS_STUCK: {
    problem: () => "jobs wait for a worker",
    noun: "",
    advice: () => "Check that a worker is running and can connect to the database.",
  },
  SWEEP_LATE: {
    problem: (_share, { detail }) => `the sweep ${detail} has not succeeded`,
    noun: "",
    advice: () => "The log of the worker has its error.",
    severity: "soon",
  },
  REGISTRATION_REFUSED: {
    problem: () => "a registration is refused",
    noun: "",
    advice: () =>
      "Its row was changed outside of the service, or its secret cannot be decrypted. Check its addresses, and enter its client secret again.",
  },
  APPLICATION_REFUSED: {
    problem: () => "the provider refuses our client",
    noun: "",
    advice: ({ detail }) =>
      `${detail === null ? "" : `The provider’s code and message: ${detail}. `}Check the application at the provider: it can be blocked, under review or over a limit, or its client id or secret can be wrong. No account can be read until then, and users cannot change it.`,
  },
  EVENT_ENDPOINT_FAILS: {
    problem: (_share, { detail }) => `events do not reach the backend of ${detail}`,
    noun: "",
    advice: () =>
      "The client’s page shows why its deliveries fail. They are retried for three days, and an endpoint that fails for five days is turned off. Tell the owner of the backend.",
  },
};

const UNKNOWN: CauseText = { problem: () => "unknown incident", noun: "", advice: () => "Reload the panel." };

/** One line per incident: what, how much, since when, and what to do. */
export function describeIncident(incident: Incident, now: Date): IncidentText {
  const { provider, begunAt, lastSeenAt, endedAt, failed, total } = incident;
  // A cause that was added after this page was loaded.
  const text = (TEXTS as Readonly<Record<string, CauseText>>)[incident.cause] ?? UNKNOWN;
  const { problem, noun, advice, severity = "bad" } = text;
  const share = failed === null || !total ? "" : percent(failed, total);
  const what = problem(share, incident);
  const subject =
    provider === null ? `${what[0]?.toUpperCase()}${what.slice(1)}` : `${PROVIDER_NAMES[provider]}: ${what}`;
  const times =
    endedAt === null
      ? `since ${timeText(begunAt, now)}`
      : `from ${timeText(begunAt, now)} until ${timeText(endedAt, now)}`;
  const numbers = failed === null || total === null ? "" : `${amount(failed)} of ${amount(total)} ${noun}. `;
  const seen =
    endedAt === null && failed !== null ? `Last seen ${formatRelativeTime(new Date(lastSeenAt), now)}. ` : "";
  return {
    severity,
    title: `${subject} ${times}`,
    detail: `${numbers}${seen}${endedAt === null ? advice(incident) : ""}`.trim(),
    link: linkOf(incident),
  };
}

function linkOf({ cause, provider, registrationId }: Incident): AttentionLink {
  if (cause === "RECONNECTS_REQUIRED" && provider !== null)
    return { to: "/connections", search: { provider, status: "RECONNECT_REQUIRED" } };
  return registrationId === null ? { to: "/health" } : { to: "registration", registrationId };
}

function percent(part: number, whole: number): string {
  const share = (part / whole) * 100;
  return `${share < 1 ? "less than 1" : Math.floor(share)} %`;
}

function amount(count: number): string {
  return count.toLocaleString("en");
}

/** The time of day, with the day if it is not today. */
function timeText(at: string, now: Date): string {
  const date = new Date(at);
  return `${(formatDay(date) === formatDay(now) ? formatTime : formatDayAndTime)(date)} UTC`;
}
