function kindOf<Kind extends Instrument["kind"]>(kind: Kind, isState = false) {
  return <const Labels extends readonly string[]>(
    labels: Labels,
    description: string,
    unit: Instrument["unit"] = "",
  ) => ({ kind, labels, description, unit, isState });
}
const counter = kindOf("counter");
const observableCounter = kindOf("observable counter");
const histogram = kindOf("histogram");
const gauge = kindOf("gauge");
/** Read from the database, so every process shows the same value. */
const state = kindOf("gauge", true);

/**
 * Every metric of the service, in one place: name, kind, unit, meaning and labels. The instruments are created from this
 * table, and `docs/reference/metrics.md` is generated from it.
 *
 * The names are Prometheus' names. A label has a bounded number of values, and no value of it is personal.
 */
export const INSTRUMENTS = {
  social_connect_requests_total: counter(
    ["surface", "operation", "code"],
    "Answered requests. `code` is `OK` or that of the first error.",
  ),
  social_connect_client_requests_total: counter(
    ["surface", "library", "version"],
    "Answered requests of backends by the library that sent them: `sdk`, `admin-sdk`, `none` without the header, or `other`. `version` is `other` beyond the first 50 versions of a process, or 8 of an application.",
  ),
  social_connect_request_duration_seconds: histogram(
    ["surface", "operation"],
    "Time from the head of a request to its response, with the wait for its turn.",
    "s",
  ),
  social_connect_calls_in_progress: gauge(["lane", "application"], "Calls that run now."),
  social_connect_calls_waiting: gauge(["lane", "application"], "Calls that wait for their turn."),
  social_connect_calls_refused_total: observableCounter(
    ["lane", "application"],
    "Calls that were RATE_LIMITED, because their application has too many in progress.",
  ),
  social_connect_overload_refusals_total: observableCounter(
    ["what"],
    "What a process refused because too much of it waited: `requests` of unknown callers, or `statements` that found no database connection.",
  ),
  social_connect_job_attempts_total: counter(
    ["kind", "provider", "outcome", "wait_reason"],
    "Attempts at jobs that ended. `outcome` is the job's status after it (`QUEUED`: it is retried), `DISCARDED` or `ERROR`.",
  ),
  social_connect_job_attempt_duration_seconds: histogram(
    ["kind", "provider"],
    "Time of an attempt at a job, with its calls to the provider.",
    "s",
  ),
  social_connect_provider_calls_total: counter(
    ["provider", "endpoint", "result"],
    "Calls to providers. `result` is `ok`, `http_4xx`, `http_429`, `http_5xx`, or why there was no response.",
  ),
  social_connect_provider_call_duration_seconds: histogram(
    ["provider", "endpoint"],
    "Time of a call to a provider, with its body.",
    "s",
  ),
  social_connect_provider_calls_paused: gauge(
    ["registration"],
    "1 while this process makes no calls with a registration, after repeated failures; otherwise 0.",
  ),
  social_connect_provider_messages_total: counter(
    ["provider", "kind", "result"],
    "Messages of providers. `kind` is `deauthorization`, `webhook` or `data_deletion`. `result` is `accepted`, `ignored` (genuine, but nothing changed) or `refused`.",
  ),
  social_connect_event_deliveries_total: counter(
    ["outcome", "problem"],
    "Tries to deliver an event to an application's backend. `outcome` is the delivery's status after it (`WAITING`: it is retried), `DISCARDED` or `ERROR`; `problem` says why a try failed.",
  ),
  social_connect_security_events_total: observableCounter(
    ["event"],
    "Events of the security log, with those whose lines were suppressed.",
  ),
  social_connect_database_connections: gauge(
    ["pool", "state"],
    "Open database connections. `state` is `used` or `idle`.",
  ),
  social_connect_database_connections_max: gauge(["pool"], "Maximum number of connections of a pool."),
  social_connect_database_connection_waiters: gauge(
    ["pool"],
    "Statements and transactions that wait for a connection.",
  ),
  social_connect_database_errors_total: observableCounter(
    ["sqlstate"],
    "Errors that PostgreSQL reported, by its error code. Some belong to ordinary work, e.g. `23505` when two callers store the same row.",
  ),
  social_connect_event_loop_delay_seconds: gauge(
    ["quantile"],
    "How late the event loop was since the last scrape. `quantile` is `0.5`, `0.99` or `1`.",
    "s",
  ),
  social_connect_process_cpu_seconds_total: observableCounter([], "CPU time of the process.", "s"),
  social_connect_process_memory_bytes: gauge(["kind"], "Memory of the process. `kind` is `resident` or `heap`.", "By"),
  social_connect_output_dropped_total: observableCounter(
    ["output", "reason"],
    "Lines of `stdout` and `stderr`, and spans of `traces`, that could not be written. `reason` is `disk_full`, `closed`, `slow_reader` or `failed`.",
  ),
  social_connect_process_info: gauge(["role", "node"], "Always 1; its labels describe the process."),
  social_connect_ready: gauge([], "1 while `/readyz` answers 200; otherwise 0."),
  social_connect_data_folder_free_bytes: gauge(
    [],
    "Free bytes of the disk of the embedded database; absent with `DATABASE_URL`.",
    "By",
  ),
  social_connect_state_read: gauge(
    [],
    "1 if the metrics of the database's state could be read; otherwise 0, and they are absent.",
  ),
  social_connect_oldest_waiting_job_age_seconds: state(
    [],
    "How long the job has been due that waits longest for a worker; 0 without one.",
    "s",
  ),
  social_connect_jobs_waiting: state(
    ["kind", "provider", "wait_reason"],
    "Queued jobs, of the 10,000 that are due first.",
  ),
  social_connect_sweep_last_success_timestamp_seconds: state(
    ["sweep"],
    "When a sweep succeeded last; 0 if it never did.",
    "s",
  ),
  social_connect_sweep_failing: state(["sweep"], "1 if the latest run of a sweep failed; otherwise 0."),
  social_connect_sweep_backlog: state(
    ["sweep"],
    "Rows that were due after a sweep's latest run, counted up to 100,000.",
  ),
  social_connect_provider_quota_units: state(
    ["provider", "registration", "budget"],
    "Units of a budget that applications share, in its window.",
  ),
  social_connect_provider_quota_units_left: state(
    ["provider", "registration", "budget"],
    "Units that are left in the current window. A budget of one read is absent before its first call.",
  ),
  social_connect_application_refused: state(
    ["provider", "registration"],
    "1 while the provider refuses the registration's client for every account, or most of its connections; otherwise absent.",
  ),
  social_connect_event_deliveries_waiting: state(
    [],
    "Events that are still to be delivered to an endpoint, counted up to 10,000.",
  ),
  social_connect_event_endpoints_failing: state(
    [],
    "Endpoints of applications whose last delivery failed, with those that the service turned off for it, counted up to 1,000.",
  ),
  social_connect_grants: state(
    ["status"],
    "Stored grants. Exact up to 10,000 of a status, estimated from PostgreSQL's statistics beyond.",
  ),
  social_connect_oldest_observation_age_seconds: state(
    ["of"],
    "Age of the oldest stored observation. `of` is `profile` (exact) or `content` (at most 30 days more than the true age, because the index keeps each post's first observation of up to 30 days ago).",
    "s",
  ),
  social_connect_keys_expiring: state(
    ["of"],
    "Active keys that expire within 7 days, counted up to 1,000. `of` is `application` or `admin`.",
  ),
} satisfies Readonly<Record<string, Instrument>>;

export interface Instrument {
  readonly kind: "counter" | "observable counter" | "histogram" | "gauge";
  readonly labels: readonly string[];
  readonly description: string;
  /** In UCUM; empty for a number of things. */
  readonly unit: "s" | "By" | "";
  readonly isState: boolean;
}

export type InstrumentName = keyof typeof INSTRUMENTS;

/** The labels of a metric with their values. */
export type Labels<Name extends InstrumentName> = Readonly<
  Record<(typeof INSTRUMENTS)[Name]["labels"][number], string>
>;

type NameOf<Kind extends Instrument["kind"]> = {
  [Name in InstrumentName]: (typeof INSTRUMENTS)[Name]["kind"] extends Kind ? Name : never;
}[InstrumentName];

export type CounterName = NameOf<"counter">;
export type HistogramName = NameOf<"histogram">;
export type ObservedName = NameOf<"gauge" | "observable counter">;

/** Upper bounds of the histograms' buckets, in seconds: reads take milliseconds, a scan up to a minute. */
export const BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60] as const;
