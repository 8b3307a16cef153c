/** The tables of the reference page about events. */
import {
  type AttemptEventData,
  type ConnectionEventData,
  EVENT_LIMITS,
  EVENT_RETRY_DELAYS_SECONDS,
  EVENT_TYPES,
  type EventSubject,
  type IdentityEventData,
  type JobEventData,
} from "../../packages/contract/src/index.ts";
import { code, table, withTables } from "./tables.ts";

const whole = new Intl.NumberFormat("en-US");

/** The compiler checks that each lists all fields. */
type Fields<Data> = { readonly [Field in keyof Data]: string };
const SUBJECT = { provider: "", tenantKey: "", externalSubjectId: "" };
const RESULT = { status: "", code: "" };
const FIELDS = {
  attempt: { ...SUBJECT, attemptId: "", connectionId: "null unless the attempt completed", ...RESULT },
  connection: { ...SUBJECT, connectionId: "", ...RESULT },
  job: { ...SUBJECT, connectionId: "", jobId: "", ...RESULT },
  identity: { tenantKey: "", attemptId: "", ...RESULT },
  test: {},
} satisfies {
  readonly attempt: Fields<AttemptEventData>;
  readonly connection: Fields<ConnectionEventData>;
  readonly job: Fields<JobEventData>;
  readonly identity: Fields<IdentityEventData>;
  readonly test: object;
};

function types(): string {
  const rows = Object.entries(EVENT_TYPES).map(([type, about]) => [
    code(type),
    about.description,
    about.statuses.map(code).join(", ") || "–",
    "codes" in about ? about.codes : "null",
  ]);
  return table(["`type`", "Sent when", "`data.status`", "`data.code`"], rows);
}

function data(): string {
  const rows = Object.entries(FIELDS).map(([subject, fields]) => [
    typesOf(subject as EventSubject),
    Object.entries(fields)
      .map(([name, note]) => code(name) + (note === "" ? "" : ` (${note})`))
      .join(", ") || "none",
  ]);
  return table(["Types", "Fields of `data`"], rows);
}

/** `connect.*`, or the type itself. */
function typesOf(subject: EventSubject): string {
  const names = Object.entries(EVENT_TYPES).flatMap(([type, about]) => (about.subject === subject ? [type] : []));
  return [...new Set(names.map((name) => code(name.replace(/\..*/, ".*"))))].join(", ");
}

function retries(): string {
  const delays = EVENT_RETRY_DELAYS_SECONDS.map(durationOf);
  return table(["Retry", ...delays.map((_, index) => String(index + 1))], [["Delay after the last try", ...delays]]);
}

function durationOf(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  return seconds < 3_600 ? `${seconds / 60} min` : `${seconds / 3_600} h`;
}

function limits(): string {
  const { endpointsPerApplication, storedDays, timeoutSeconds, answerBytes, turnOffAfterDays } = EVENT_LIMITS;
  return table(
    ["Limit", "Value"],
    [
      ["endpoints of a client", String(endpointsPerApplication)],
      ["events are stored", `${storedDays} days`],
      ["time for an answer", `${timeoutSeconds} s`],
      ["of an answer, read and discarded", `${whole.format(answerBytes)} bytes`],
      ["failures without a success, until an endpoint is turned off", `${turnOffAfterDays} days`],
      ["after a rotation, both secrets sign", `${EVENT_LIMITS.previousSecretHours} h`],
      ["between `webhook-timestamp` and the receiver's clock", `${EVENT_LIMITS.toleranceSeconds} s`],
    ],
  );
}

export function withEventTables(page: string): string {
  return withTables(page, { types: types(), data: data(), retries: retries(), limits: limits() });
}
