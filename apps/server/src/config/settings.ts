import { z } from "zod";
import type { LogLevel } from "../platform/logger.ts";
import { LOG_LEVELS } from "../platform/logger.ts";
import type { Secret } from "../platform/secret.ts";
import type { EncryptionKey } from "../platform/secretBox.ts";
import { databaseTlsProblems, isLocalDatabase } from "./databaseTls.ts";
import { ownPanelFolder } from "./panelFolder.ts";
import { isSet, readSecretCommand, readSecretFile, SECRET_SETTINGS, SecretSourceError } from "./secretSources.ts";
import {
  baseAddress,
  calledAddress,
  commandLine,
  emailList,
  encryptionKeys,
  fraction,
  MOST_PROCESSES,
  otlpAddress,
  port,
  postgresUrl,
  previewTemplate,
  processCount,
  proxyNetworks,
  secret,
  share,
  wholeNumber,
} from "./values.ts";

export const ROLES = ["api", "worker", "both"] as const;
/** What a process does: it serves requests, runs jobs, or both. */
export type Role = (typeof ROLES)[number];

/** The configuration of a deployment. Parsed once, at the start of the process, and passed on as this object. */
export interface Settings {
  readonly mode: "sandbox" | "live";
  readonly role: Role;
  /** Number of processes that serve the port. */
  readonly processes: number;
  readonly host: string;
  readonly port: number;
  /** Base URL of the consumer API and of the browser pages of Connect, without a trailing slash. */
  readonly publicUrl: string;
  /** Base URL of the admin API and the panel; `http` on loopback allows plain http there. */
  readonly adminUrl: string;
  /** null: the embedded database in the data folder. */
  readonly databaseUrl: Secret | null;
  /** The same database without its pooler; null without a pooler. */
  readonly databaseDirectUrl: Secret | null;
  /** A starting process applies pending migrations; if false, it refuses to start with pending ones. */
  readonly migratesAtStart: boolean;
  /** Database connections use TLS and verify the server's certificate. */
  readonly requireDatabaseTls: boolean;
  readonly dataFolder: string;
  /** The folder of the admin panel's build. */
  readonly panelFolder: string;
  readonly embeddedDatabasePort: number;
  /** Maximum number of this process's database connections for writes and jobs. */
  readonly databasePoolSize: number;
  /** Maximum number of this process's database connections for short reads of the consumer API. */
  readonly readPoolSize: number;
  /** How many queries one application can run while others call too, in percent of the connections for reads. */
  readonly callSharePercent: number;
  /** The same while no other application calls, in percent of the slots for queries. */
  readonly callShareAlonePercent: number;
  /** Maximum number of waiting calls of one application. */
  readonly callQueueLength: number;
  /** How long a call waits for its turn, in milliseconds. */
  readonly callQueueMs: number;
  /** The first encrypts, all decrypt. Empty: one is created and stored in the data folder. */
  readonly encryptionKeys: readonly EncryptionKey[];
  /** The OpenID provider of the identity handoff and of the admins; null disables both. */
  readonly issuer: IssuerSettings | null;
  /** IP addresses and CIDR ranges whose `X-Forwarded-*` headers are trusted. */
  readonly trustedProxies: readonly string[];
  /** Email addresses of the first admins. */
  readonly adminEmails: readonly string[];
  readonly logLevel: LogLevel;
  /** The part of the successful requests that are logged, from 0 to 1. */
  readonly logSample: number;
  /** Where metrics and probes are served; null: nowhere. */
  readonly operations: { readonly host: string; readonly port: number } | null;
  /** null: nothing is traced. */
  readonly tracing: TracingSettings | null;
  readonly previewOriginTemplate: string | null;
  /** The clock can be moved; never in live mode. */
  readonly movableClock: boolean;
  /**
   * Position of retries and background reads in the range over which they are spread, from 0 to 1; null: random. Never
   * in live mode.
   */
  readonly jitter: number | null;
  /**
   * How long the process continues to serve after readiness fails, so that load balancers stop routing, in
   * milliseconds.
   */
  readonly drainMs: number;
  /** How long a shutdown waits for in-flight work after that, in milliseconds. */
  readonly shutdownTimeoutMs: number;
}

/** How spans are sampled and sent. The exporter reads the other variables of OTLP itself. */
export interface TracingSettings {
  readonly protocol: (typeof OTLP_PROTOCOLS)[number];
  readonly sampler: (typeof SAMPLERS)[number];
  /** For the samplers with a ratio, from 0 to 1. */
  readonly ratio: number;
  /** Sizes and delays of the batches. */
  readonly batch: {
    readonly scheduledDelayMillis: number;
    readonly maxQueueSize: number;
    readonly maxExportBatchSize: number;
    readonly exportTimeoutMillis: number;
  };
}

const OTLP_PROTOCOLS = ["http/protobuf", "http/json"] as const;
const SAMPLERS = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

/** The service's registration at the OpenID provider. */
export interface IssuerSettings {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: Secret;
}

/** An invalid or missing setting: name, reason and remedy. */
export interface SettingProblem {
  readonly name: string;
  readonly problem: string;
  readonly remedy: string;
}

/** Invalid settings: the message has the name and remedy of each and repeats no value. */
export class SettingsError extends Error {
  readonly problems: readonly SettingProblem[];

  constructor(problems: readonly SettingProblem[]) {
    super(problems.map(({ name, problem, remedy }) => `${name}: ${problem}. ${remedy}.`).join("\n"));
    this.name = "SettingsError";
    this.problems = problems;
  }
}

/** Of traces that begin here, without OTEL_TRACES_SAMPLER_ARG: tracing each costs too much of a read. */
const DEFAULT_RATIO = 0.05;

/** Each environment variable: its parser, and the remedy for an invalid value. */
const VARIABLES = {
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
  CALL_SHARE_PERCENT: [wholeNumber(1, 100).default(20), "Set it to a whole number from 1 to 100"],
  CALL_SHARE_ALONE_PERCENT: [wholeNumber(1, 100).default(80), "Set it to a whole number from 1 to 100"],
  CALL_QUEUE_LENGTH: [wholeNumber(0, 10_000).default(64), "Set it to a whole number from 0 to 10000"],
  CALL_QUEUE_SECONDS: [wholeNumber(1, 60).default(15), "Set it to a whole number of seconds from 1 to 60"],
  ENCRYPTION_KEYS: [
    encryptionKeys.default([]),
    "Set it to id:key pairs separated by commas, newest first; `openssl rand -base64 32` creates a key",
  ],
  ENCRYPTION_KEYS_COMMAND: [
    commandLine.optional(),
    "Set it to a program and its arguments separated by spaces, or to a JSON array of strings, or remove it",
  ],
  ISSUER_URL: [calledAddress.optional(), "Set it to the OpenID provider's issuer URL, e.g. https://id.example.com"],
  ISSUER_CLIENT_ID: [z.string().optional(), "Set it to this service's client id at the issuer"],
  ISSUER_CLIENT_SECRET: [secret.optional(), "Set it to this service's client secret at the issuer"],
  TRUSTED_PROXIES: [
    proxyNetworks.default([]),
    "Set it to IP addresses or CIDR ranges separated by commas, e.g. 10.0.0.7,10.1.0.0/16,2001:db8::/48",
  ],
  ADMIN_EMAILS: [emailList.default([]), "Set it to email addresses separated by commas"],
  LOG_LEVEL: [z.enum(LOG_LEVELS).default("info"), `Set it to one of ${LOG_LEVELS.join(", ")}`],
  LOG_SAMPLE: [share.default(1), "Set it to a number from 0 to 1, e.g. 0.01"],
  METRICS_HOST: [z.string().default("127.0.0.1"), "Set it to the address to listen on, e.g. 0.0.0.0"],
  METRICS_PORT: [port.optional(), "Set it to a port from 1 to 65535, or remove it"],
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
  OTEL_TRACES_SAMPLER: [z.enum(SAMPLERS).default("parentbased_traceidratio"), `Set it to ${SAMPLERS.join(", ")}`],
  OTEL_TRACES_SAMPLER_ARG: [share.default(DEFAULT_RATIO), "Set it to a number from 0 to 1"],
  OTEL_BSP_SCHEDULE_DELAY: [wholeNumber(1, 600_000).default(5_000), "Set it to milliseconds from 1 to 600000"],
  OTEL_BSP_EXPORT_TIMEOUT: [wholeNumber(1, 600_000).default(10_000), "Set it to milliseconds from 1 to 600000"],
  OTEL_BSP_MAX_QUEUE_SIZE: [wholeNumber(1, 1_000_000).default(2_048), "Set it to a whole number from 1 to 1000000"],
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: [wholeNumber(1, 1_000_000).default(512), "Set it to at most OTEL_BSP_MAX_QUEUE_SIZE"],
  PREVIEW_ORIGIN_TEMPLATE: [previewTemplate.optional(), "Set it like https://{label}.preview.example.app"],
  CLOCK: [z.enum(["system", "movable"]).default("system"), "Set it to system or movable"],
  JITTER: [fraction.optional(), "Set it to a number from 0 to below 1, or remove it"],
  DRAIN_SECONDS: [wholeNumber(0, 300).default(3), "Set it to a whole number of seconds from 0 to 300"],
  SHUTDOWN_TIMEOUT_SECONDS: [wholeNumber(3, 600).default(20), "Set it to a whole number of seconds from 3 to 600"],
} as const satisfies Record<string, readonly [z.ZodType, string]>;

type Environment = Readonly<Record<string, string | undefined>>;
type VariableName = keyof typeof VARIABLES;

/** Every variable by its name, and its default; a test compares them with the documentation. */
export const SETTING_DEFAULTS: Readonly<Record<string, unknown>> = Object.fromEntries(
  Object.entries(VARIABLES).map(([name, [schema]]) => [name, schema.parse(undefined)]),
);

type Values = { [Name in VariableName]: z.output<(typeof VARIABLES)[Name][0]> };

/** Decided by the command line and not by the environment. */
export interface SettingsOverrides {
  readonly role?: Role;
  readonly processes?: number;
  /** For commands that neither encrypt nor decrypt: they need no encryption key. */
  readonly needsNoEncryptionKey?: boolean;
}

/**
 * Parses the environment; `overrides` come from the command line.
 *
 * @throws SettingsError that names every problem
 */
export function readSettings(environment: Environment, overrides: SettingsOverrides = {}): Settings {
  const problems: SettingProblem[] = [];
  const values = {} as Record<VariableName, unknown>;
  const texts = readSecrets(environment, overrides, problems);
  const unread = new Set(problems.map(({ name }) => name.replace(/_(?:FILE|COMMAND)$/, "")));
  for (const [name, [schema, remedy]] of Object.entries(VARIABLES)) {
    if (unread.has(name)) continue;
    // An empty variable counts as missing: compose files and shells create them.
    const text = texts[name]?.trim() || undefined;
    const result = schema.safeParse(text);
    if (result.success) values[name as VariableName] = result.data;
    else problems.push({ name, problem: result.error.issues[0]?.message ?? "it is invalid", remedy });
  }
  if (problems.length > 0) throw new SettingsError(problems);
  const settings = toSettings(values as Values, overrides);
  const contradictions = findContradictions(values as Values, settings, overrides);
  if (settings.requireDatabaseTls) contradictions.push(...databaseTlsProblems(settings, environment));
  if (contradictions.length > 0) throw new SettingsError(contradictions);
  return settings;
}

/** The environment with the secrets that files and the command of the encryption keys provide. */
function readSecrets(
  environment: Environment,
  overrides: SettingsOverrides,
  problems: SettingProblem[],
): Record<string, string | undefined> {
  const texts = { ...environment };
  const read = (name: VariableName, source: () => string | undefined) => {
    try {
      texts[name] = source() ?? texts[name];
    } catch (error) {
      if (!(error instanceof SecretSourceError)) throw error;
      problems.push({ name: error.setting, problem: error.message, remedy: error.remedy });
    }
  };
  for (const name of SECRET_SETTINGS) read(name, () => readSecretFile(name, environment));
  read("ENCRYPTION_KEYS", () => {
    const setting = "ENCRYPTION_KEYS_COMMAND";
    const { data: command } = VARIABLES[setting][0].safeParse(environment[setting]?.trim() || undefined);
    if (command === undefined) return undefined;
    const other = ["ENCRYPTION_KEYS", "ENCRYPTION_KEYS_FILE"].find((name) => isSet(environment[name]));
    if (other !== undefined) {
      throw new SecretSourceError(
        setting,
        `${other} is set, too, and only one of them can apply`,
        "Remove one of them",
      );
    }
    return overrides.needsNoEncryptionKey ? undefined : readSecretCommand(setting, command, environment);
  });
  return texts;
}

function toSettings(values: Values, overrides: SettingsOverrides): Settings {
  const { ISSUER_URL: url, ISSUER_CLIENT_ID: clientId, ISSUER_CLIENT_SECRET: clientSecret } = values;
  return {
    mode: values.MODE,
    role: overrides.role ?? values.ROLE,
    processes: overrides.processes ?? values.PROCESSES,
    host: values.HOST,
    port: values.PORT,
    publicUrl: values.PUBLIC_URL ?? `http://127.0.0.1:${values.PORT}`,
    adminUrl: values.ADMIN_URL ?? values.PUBLIC_URL ?? `http://127.0.0.1:${values.PORT}`,
    databaseUrl: values.DATABASE_URL ?? null,
    databaseDirectUrl: values.DATABASE_DIRECT_URL ?? null,
    migratesAtStart: values.MIGRATE === "on",
    requireDatabaseTls: requiresDatabaseTls(values),
    dataFolder: values.DATA_DIR,
    panelFolder: values.PANEL_DIR ?? ownPanelFolder(),
    embeddedDatabasePort: values.EMBEDDED_DATABASE_PORT,
    databasePoolSize: values.DATABASE_POOL_SIZE,
    readPoolSize: values.DATABASE_READ_POOL_SIZE,
    callSharePercent: values.CALL_SHARE_PERCENT,
    callShareAlonePercent: values.CALL_SHARE_ALONE_PERCENT,
    callQueueLength: values.CALL_QUEUE_LENGTH,
    callQueueMs: values.CALL_QUEUE_SECONDS * 1_000,
    encryptionKeys: values.ENCRYPTION_KEYS,
    issuer: url && clientId && clientSecret ? { url, clientId, clientSecret } : null,
    trustedProxies: values.TRUSTED_PROXIES,
    adminEmails: values.ADMIN_EMAILS,
    logLevel: values.LOG_LEVEL,
    logSample: values.LOG_SAMPLE,
    operations: values.METRICS_PORT === undefined ? null : { host: values.METRICS_HOST, port: values.METRICS_PORT },
    tracing: tracingOf(values),
    previewOriginTemplate: values.PREVIEW_ORIGIN_TEMPLATE ?? null,
    movableClock: values.CLOCK === "movable",
    jitter: values.JITTER ?? null,
    drainMs: values.DRAIN_SECONDS * 1_000,
    shutdownTimeoutMs: values.SHUTDOWN_TIMEOUT_SECONDS * 1_000,
  };
}

function tracingOf(values: Values): TracingSettings | null {
  const endpoint = values.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? values.OTEL_EXPORTER_OTLP_ENDPOINT;
  const isOff = values.OTEL_SDK_DISABLED === "true" || values.OTEL_TRACES_EXPORTER === "none";
  if (endpoint === undefined || isOff) return null;
  return {
    protocol: values.OTEL_EXPORTER_OTLP_PROTOCOL,
    sampler: values.OTEL_TRACES_SAMPLER,
    ratio: values.OTEL_TRACES_SAMPLER_ARG,
    batch: {
      scheduledDelayMillis: values.OTEL_BSP_SCHEDULE_DELAY,
      maxQueueSize: values.OTEL_BSP_MAX_QUEUE_SIZE,
      maxExportBatchSize: values.OTEL_BSP_MAX_EXPORT_BATCH_SIZE,
      exportTimeoutMillis: values.OTEL_BSP_EXPORT_TIMEOUT,
    },
  };
}

function requiresDatabaseTls(values: Values): boolean {
  const { MODE: mode, DATABASE_TLS: tls, DATABASE_URL: url, DATABASE_DIRECT_URL: directUrl } = values;
  if (tls !== undefined) return tls === "require";
  return mode === "live" && [url, directUrl].some((each) => each !== undefined && !isLocalDatabase(each));
}

/** Settings that are each valid but conflict with each other. */
function findContradictions(values: Values, settings: Settings, overrides: SettingsOverrides): SettingProblem[] {
  const problems: SettingProblem[] = [];
  const add = (name: VariableName, problem: string, remedy: string = VARIABLES[name][1]) =>
    problems.push({ name, problem, remedy });

  for (const name of ["ISSUER_URL", "ISSUER_CLIENT_ID", "ISSUER_CLIENT_SECRET"] as const) {
    const someIsSet = values.ISSUER_URL ?? values.ISSUER_CLIENT_ID ?? values.ISSUER_CLIENT_SECRET;
    if (someIsSet !== undefined && values[name] === undefined)
      add(name, "it is missing, and the issuer needs all three");
  }
  if (settings.operations !== null && settings.role !== "worker" && settings.operations.port === settings.port) {
    add("METRICS_PORT", "it is PORT, and metrics must not be public", "Set it to another port");
  }
  if (values.OTEL_BSP_MAX_EXPORT_BATCH_SIZE > values.OTEL_BSP_MAX_QUEUE_SIZE) {
    add("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "it is larger than OTEL_BSP_MAX_QUEUE_SIZE");
  }
  if (settings.databaseUrl === null && settings.role !== "both") {
    add("DATABASE_URL", `a process of role ${settings.role} shares its database with others, so it needs a URL`);
  }
  if (settings.databaseUrl === null && settings.databaseDirectUrl !== null) {
    add("DATABASE_URL", "it is missing, and DATABASE_DIRECT_URL is only for a pooler in DATABASE_URL");
  }
  if (settings.databaseUrl === null && settings.processes > 1) {
    add("DATABASE_URL", "several processes share a database, so they need a URL");
  }
  if (settings.databaseUrl !== null && settings.encryptionKeys.length === 0 && !overrides.needsNoEncryptionKey) {
    add("ENCRYPTION_KEYS", "it is missing, and every process on this database must have the same keys");
  }
  if (settings.mode === "live") {
    const isHttps = (address: string) => address.startsWith("https://");
    if (settings.encryptionKeys.length === 0 && settings.databaseUrl === null) {
      add("ENCRYPTION_KEYS", "live mode needs its own encryption key");
    }
    if (!isHttps(settings.publicUrl)) add("PUBLIC_URL", "live mode needs an https URL");
    if (values.ADMIN_URL !== undefined && !isHttps(settings.adminUrl)) {
      add("ADMIN_URL", "live mode needs an https URL");
    }
    if (settings.issuer !== null && !isHttps(settings.issuer.url)) add("ISSUER_URL", "live mode needs an https URL");
    if (settings.movableClock) add("CLOCK", "live mode's clock cannot be moved", "Set it to system, or remove it");
    if (settings.jitter !== null) add("JITTER", "live mode spreads its work randomly", "Remove it");
  }
  return problems;
}

/**
 * Live mode without an admin. Checked once the database is open: admins are also added by a command and by other
 * admins, so the settings are not enough.
 */
export function noAdminError(): SettingsError {
  const remedy = `${VARIABLES.ADMIN_EMAILS[1]}, or run \`social-connect admin add <email>\``;
  return new SettingsError([{ name: "ADMIN_EMAILS", problem: "live mode needs at least one admin", remedy }]);
}
