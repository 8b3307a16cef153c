import { z } from "zod";
import { LOG_LEVELS } from "../platform/log/logger.ts";
import {
  baseAddress,
  commandLine,
  emailList,
  encryptionKeys,
  fraction,
  headerPairs,
  issuerName,
  MOST_PROCESSES,
  otlpAddress,
  port,
  postgresUrl,
  previewTemplate,
  processCount,
  proxyNetworks,
  readableFile,
  secret,
  share,
  wholeNumber,
} from "./values.ts";

export const ROLES = ["api", "worker", "both"] as const;
export const OTLP_PROTOCOLS = ["http/protobuf", "http/json"] as const;
export const SAMPLERS = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

/** The sampled part of the traces that begin here, without OTEL_TRACES_SAMPLER_ARG: tracing each costs too much of a read. */
const DEFAULT_RATIO = 0.05;

type Variables = Record<string, readonly [z.ZodType, string]>;

/** Each environment variable of the service: its parser, and the remedy for an invalid value. */
export const SERVICE_VARIABLES = {
  MODE: [z.enum(["sandbox", "live"]).default("sandbox"), "Set it to sandbox or live"],
  ROLE: [z.enum(ROLES).default("both"), "Set it to api, worker or both"],
  PROCESSES: [processCount.default(1), `Set it to auto or a whole number from 1 to ${MOST_PROCESSES}`],
  HOST: [z.string().default("127.0.0.1"), "Set it to the address to listen on, e.g. 0.0.0.0"],
  PORT: [port.default(4400), "Set it to a port from 1 to 65535, e.g. PORT=8080"],
  PUBLIC_URL: [baseAddress.optional(), "Set it to the URL that callers use, e.g. https://connect.example.com"],
  ADMIN_URL: [baseAddress.optional(), "Set it to the URL that admins use, e.g. https://admin.example.com"],
  DATABASE_URL: [postgresUrl.optional(), "Set it to postgres://user:password@host:5432/database"],
  DATABASE_DIRECT_URL: [
    postgresUrl.optional(),
    "Set it to the database's own postgres:// URL when DATABASE_URL is a pooler in transaction mode, or remove it",
  ],
  DATABASE_TLS: [z.enum(["require", "off"]).optional(), "Set it to require or off"],
  MIGRATE: [z.enum(["on", "off"]).default("on"), "Set it to on or off"],
  DATA_DIR: [z.string().default(".social-connect"), "Set it to a writable folder"],
  PANEL_DIR: [z.string().optional(), "Set it to the folder with the panel's index.html, or remove it"],
  EMBEDDED_DATABASE_PORT: [port.default(4404), "Set it to a free port, or set DATABASE_URL"],
  DATABASE_POOL_SIZE: [wholeNumber(2, 200).default(10), "Set it to a whole number from 2 to 200"],
  DATABASE_READ_POOL_SIZE: [wholeNumber(2, 200).default(10), "Set it to a whole number from 2 to 200"],
  WORKER_READ_SLOTS: [wholeNumber(1, 100).default(4), "Set it to a whole number from 1 to 100"],
  WORKER_REVOKE_SLOTS: [wholeNumber(1, 100).default(2), "Set it to a whole number from 1 to 100"],
  ENCRYPTION_KEYS: [
    encryptionKeys.default({ keys: [], lostIds: [] }),
    "Set it to id:key pairs separated by commas, newest first; `openssl rand -base64 32` creates a key",
  ],
  ENCRYPTION_KEYS_COMMAND: [
    commandLine.optional(),
    "Set it to a program and its arguments separated by spaces, or to a JSON array of strings, or remove it",
  ],
  ISSUER_URL: [issuerName.optional(), "Set it to the OpenID provider's issuer URL, e.g. https://id.example.com"],
  ISSUER_CLIENT_ID: [z.string().optional(), "Set it to this service's client id at the issuer"],
  ISSUER_CLIENT_SECRET: [secret.optional(), "Set it to this service's client secret at the issuer"],
  ISSUER_RESPONSE_MODE: [z.enum(["query", "form_post"]).optional(), "Set it to query or form_post, or remove it"],
  TRUSTED_PROXIES: [
    proxyNetworks.default([]),
    "Set it to IP addresses or CIDR ranges separated by commas, e.g. 10.0.0.7,10.1.0.0/16,2001:db8::/48",
  ],
  ADMIN_EMAILS: [emailList.default([]), "Set it to email addresses separated by commas"],
  LOG_LEVEL: [z.enum(LOG_LEVELS).default("info"), `Set it to one of ${LOG_LEVELS.join(", ")}`],
  LOG_SAMPLE: [share.default(1), "Set it to a number from 0 to 1, e.g. 0.01"],
  METRICS_HOST: [z.string().default("127.0.0.1"), "Set it to the address to listen on, e.g. 0.0.0.0"],
  METRICS_PORT: [port.optional(), "Set it to a port from 1 to 65535, or remove it"],
  PREVIEW_ORIGIN_TEMPLATE: [previewTemplate.optional(), "Set it like https://{label}.preview.example.app"],
  CLOCK: [z.enum(["system", "movable"]).default("system"), "Set it to system or movable"],
  JITTER: [fraction.optional(), "Set it to a number from 0 to below 1, or remove it"],
  DRAIN_SECONDS: [wholeNumber(0, 300).default(3), "Set it to a whole number of seconds from 0 to 300"],
  SHUTDOWN_TIMEOUT_SECONDS: [wholeNumber(3, 600).default(20), "Set it to a whole number of seconds from 3 to 600"],
} as const satisfies Variables;

/** Those of OpenTelemetry's specification. A start checks them, because the exporter ignores an invalid one without a message. */
export const OPENTELEMETRY_VARIABLES = {
  OTEL_SDK_DISABLED: [z.enum(["true", "false"]).default("false"), "Set it to true or false"],
  OTEL_TRACES_EXPORTER: [z.enum(["otlp", "none"]).default("otlp"), "Set it to otlp or none"],
  OTEL_EXPORTER_OTLP_ENDPOINT: [otlpAddress.optional(), "Set it to the collector's URL, e.g. http://127.0.0.1:4318"],
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: [
    otlpAddress.optional(),
    "Set it to the collector's URL for traces, e.g. http://127.0.0.1:4318/v1/traces",
  ],
  OTEL_EXPORTER_OTLP_PROTOCOL: [
    z.enum(OTLP_PROTOCOLS).default("http/protobuf"),
    `Set it to ${OTLP_PROTOCOLS.join(" or ")}`,
  ],
  OTEL_EXPORTER_OTLP_HEADERS: [headerPairs.optional(), "Set it like authorization=Bearer%20token,x-tenant=one"],
  OTEL_EXPORTER_OTLP_TIMEOUT: [wholeNumber(1, 600_000).default(10_000), "Set it to milliseconds from 1 to 600000"],
  OTEL_EXPORTER_OTLP_COMPRESSION: [z.enum(["gzip", "none"]).default("none"), "Set it to gzip or none"],
  OTEL_EXPORTER_OTLP_CERTIFICATE: [
    readableFile.optional(),
    "Set it to the PEM file of the collector's certificate authority",
  ],
  OTEL_TRACES_SAMPLER: [z.enum(SAMPLERS).default("parentbased_traceidratio"), `Set it to ${SAMPLERS.join(", ")}`],
  OTEL_TRACES_SAMPLER_ARG: [share.default(DEFAULT_RATIO), "Set it to a number from 0 to 1"],
  OTEL_BSP_SCHEDULE_DELAY: [wholeNumber(1, 600_000).default(5_000), "Set it to milliseconds from 1 to 600000"],
  OTEL_BSP_EXPORT_TIMEOUT: [wholeNumber(1, 600_000).default(10_000), "Set it to milliseconds from 1 to 600000"],
  OTEL_BSP_MAX_QUEUE_SIZE: [wholeNumber(1, 1_000_000).default(2_048), "Set it to a whole number from 1 to 1000000"],
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: [wholeNumber(1, 1_000_000).default(512), "Set it to at most OTEL_BSP_MAX_QUEUE_SIZE"],
} as const satisfies Variables;

export const VARIABLES = { ...SERVICE_VARIABLES, ...OPENTELEMETRY_VARIABLES } as const;

export type VariableName = keyof typeof VARIABLES;
export type Values = { [Name in VariableName]: z.output<(typeof VARIABLES)[Name][0]> };

/** Every variable by its name, and its default; a test compares them with the documentation. */
export const SETTING_DEFAULTS: Readonly<Record<string, unknown>> = Object.fromEntries(
  Object.entries(VARIABLES).map(([name, [schema]]) => [name, schema.parse(undefined)]),
);
