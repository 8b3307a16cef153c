/**
 * Every metric of the service, in one place: name, kind, unit, meaning and labels. The instruments are created from this
 * table, and `docs/reference/metrics.md` is generated from it.
 *
 * The names are Prometheus' names. A label has a bounded number of values, and no value of it is personal.
 */
export const INSTRUMENTS = {
  social_connect_requests_total: {
    kind: "counter",
    labels: ["surface", "operation", "code"],
    description: "Answered requests. `code` is `OK` or that of the first error.",
  },
  social_connect_client_requests_total: {
    kind: "counter",
    labels: ["surface", "library", "version"],
    description:
      "Answered requests of backends by the library that sent them: `sdk`, `admin-sdk`, `none` without the header, or `other`. `version` is `other` beyond the first 50 versions of a process, or 8 of an application.",
  },
  social_connect_request_duration_seconds: {
    kind: "histogram",
    unit: "s",
    labels: ["surface", "operation"],
    description: "Time from the head of a request to its response, with the wait for its turn.",
  },
  social_connect_calls_in_progress: {
    kind: "gauge",
    labels: ["lane", "application"],
    description: "Calls that run now.",
  },
  social_connect_calls_waiting: {
    kind: "gauge",
    labels: ["lane", "application"],
    description: "Calls that wait for their turn.",
  },
  social_connect_calls_refused_total: {
    kind: "observable counter",
    labels: ["lane", "application"],
    description: "Calls that were RATE_LIMITED, because their application has too many in progress.",
  },
  social_connect_overload_refusals_total: {
    kind: "observable counter",
    labels: ["what"],
    description:
      "What a process refused because too much of it waited: `requests` of unknown callers, or `statements` that found no database connection.",
  },
  social_connect_job_attempts_total: {
    kind: "counter",
    labels: ["kind", "provider", "outcome", "wait_reason"],
    description:
      "Attempts at jobs that ended. `outcome` is the job's status after it (`QUEUED`: it is retried), `DISCARDED` or `ERROR`.",
  },
  social_connect_job_attempt_duration_seconds: {
    kind: "histogram",
    unit: "s",
    labels: ["kind", "provider"],
    description: "Time of an attempt at a job, with its calls to the provider.",
  },
  social_connect_provider_calls_total: {
    kind: "counter",
    labels: ["provider", "endpoint", "result"],
    description:
      "Calls to providers. `result` is `ok`, `http_4xx`, `http_429`, `http_5xx`, or why there was no response.",
  },
  social_connect_provider_call_duration_seconds: {
    kind: "histogram",
    unit: "s",
    labels: ["provider", "endpoint"],
    description: "Time of a call to a provider, with its body.",
  },
  social_connect_provider_calls_paused: {
    kind: "gauge",
    labels: ["registration"],
    description: "1 while this process makes no calls with a registration, after repeated failures; otherwise 0.",
  },
  social_connect_provider_messages_total: {
    kind: "counter",
    labels: ["provider", "kind", "result"],
    description:
      "Messages of providers. `kind` is `deauthorization`, `webhook` or `data_deletion`. `result` is `accepted`, `ignored` (genuine, but nothing changed) or `refused`.",
  },
  social_connect_event_deliveries_total: {
    kind: "counter",
    labels: ["outcome", "problem"],
    description:
      "Tries to deliver an event to an application's backend. `outcome` is the delivery's status after it (`WAITING`: it is retried), `DISCARDED` or `ERROR`; `problem` says why a try failed.",
  },
  social_connect_security_events_total: {
    kind: "observable counter",
    labels: ["event"],
    description: "Events of the security log, with those whose lines were suppressed.",
  },
  social_connect_database_connections: {
    kind: "gauge",
    labels: ["pool", "state"],
    description: "Open database connections. `state` is `used` or `idle`.",
  },
  social_connect_database_connections_max: {
    kind: "gauge",
    labels: ["pool"],
    description: "Maximum number of connections of a pool.",
  },
  social_connect_database_connection_waiters: {
    kind: "gauge",
    labels: ["pool"],
    description: "Statements and transactions that wait for a connection.",
  },
  social_connect_database_errors_total: {
    kind: "observable counter",
    labels: ["sqlstate"],
    description:
      "Errors that PostgreSQL reported, by its error code. Some belong to ordinary work, e.g. `23505` when two callers store the same row.",
  },
  social_connect_event_loop_delay_seconds: {
    kind: "gauge",
    unit: "s",
    labels: ["quantile"],
    description: "How late the event loop was since the last scrape. `quantile` is `0.5`, `0.99` or `1`.",
  },
  social_connect_process_cpu_seconds_total: {
    kind: "observable counter",
    unit: "s",
    labels: [],
    description: "CPU time of the process.",
  },
  social_connect_process_memory_bytes: {
    kind: "gauge",
    unit: "By",
    labels: ["kind"],
    description: "Memory of the process. `kind` is `resident` or `heap`.",
  },
  social_connect_output_dropped_total: {
    kind: "observable counter",
    labels: ["output", "reason"],
    description:
      "Lines of `stdout` and `stderr`, and spans of `traces`, that could not be written. `reason` is `disk_full`, `closed`, `slow_reader` or `failed`.",
  },
  social_connect_process_info: {
    kind: "gauge",
    labels: ["role", "node"],
    description: "Always 1; its labels describe the process.",
  },
  social_connect_ready: {
    kind: "gauge",
    labels: [],
    description: "1 while `/readyz` answers 200; otherwise 0.",
  },
  social_connect_data_folder_free_bytes: {
    kind: "gauge",
    unit: "By",
    labels: [],
    description: "Free bytes of the disk of the embedded database; absent with `DATABASE_URL`.",
  },
  social_connect_state_read: {
    kind: "gauge",
    labels: [],
    description: "1 if the metrics of the database's state could be read; otherwise 0, and they are absent.",
  },
  social_connect_oldest_waiting_job_age_seconds: {
    kind: "gauge",
    unit: "s",
    labels: [],
    state: true,
    description: "How long the job has been due that waits longest for a worker; 0 without one.",
  },
  social_connect_jobs_waiting: {
    kind: "gauge",
    labels: ["kind", "provider", "wait_reason"],
    state: true,
    description: "Queued jobs, of the 10,000 that are due first.",
  },
  social_connect_sweep_last_success_timestamp_seconds: {
    kind: "gauge",
    unit: "s",
    labels: ["sweep"],
    state: true,
    description: "When a sweep succeeded last; 0 if it never did.",
  },
  social_connect_sweep_failing: {
    kind: "gauge",
    labels: ["sweep"],
    state: true,
    description: "1 if the latest run of a sweep failed; otherwise 0.",
  },
  social_connect_sweep_backlog: {
    kind: "gauge",
    labels: ["sweep"],
    state: true,
    description: "Rows that were due after a sweep's latest run, counted up to 100,000.",
  },
  social_connect_provider_quota_units: {
    kind: "gauge",
    labels: ["provider", "registration", "budget"],
    state: true,
    description: "Units of a budget that applications share, in its window.",
  },
  social_connect_provider_quota_units_left: {
    kind: "gauge",
    labels: ["provider", "registration", "budget"],
    state: true,
    description: "Units that are left in the current window. A budget of one read is absent before its first call.",
  },
  social_connect_application_refused: {
    kind: "gauge",
    labels: ["provider", "registration"],
    state: true,
    description:
      "1 while the provider refuses the registration's client for every account, or most of its connections; otherwise absent.",
  },
  social_connect_event_deliveries_waiting: {
    kind: "gauge",
    labels: [],
    state: true,
    description: "Events that are still to be delivered to an endpoint, counted up to 10,000.",
  },
  social_connect_event_endpoints_failing: {
    kind: "gauge",
    labels: [],
    state: true,
    description:
      "Endpoints of applications whose last delivery failed, with those that the service turned off for it, counted up to 1,000.",
  },
  social_connect_grants: {
    kind: "gauge",
    labels: ["status"],
    state: true,
    description: "Stored grants. Exact up to 10,000 of a status, estimated from PostgreSQL's statistics beyond.",
  },
  social_connect_oldest_observation_age_seconds: {
    kind: "gauge",
    unit: "s",
    labels: ["of"],
    state: true,
    description:
      "Age of the oldest stored observation. `of` is `profile` (exact) or `content` (at most 30 days more than the true age, because the index keeps each post's first observation of up to 30 days ago).",
  },
  social_connect_keys_expiring: {
    kind: "gauge",
    labels: ["of"],
    state: true,
    description: "Active keys that expire within 7 days, counted up to 1,000. `of` is `application` or `admin`.",
  },
} as const satisfies Readonly<Record<string, Instrument>>;

export interface Instrument {
  readonly kind: "counter" | "observable counter" | "histogram" | "gauge";
  /** A UCUM unit; without one, a number of things. */
  readonly unit?: "s" | "By";
  readonly labels: readonly string[];
  /** Read from the database, so every process shows the same value. */
  readonly state?: true;
  readonly description: string;
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
