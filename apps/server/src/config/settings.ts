import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import type { z } from "zod";
import type { LogLevel } from "../platform/log/logger.ts";
import type { Secret } from "../platform/secrets/secret.ts";
import type { EncryptionKey } from "../platform/secrets/secretBox.ts";
import { databaseTlsProblems, requiresDatabaseTls } from "./databaseTls.ts";
import { isSet, readSecretCommand, readSecretFile, SECRET_SETTINGS, SecretSourceError } from "./secretSources.ts";
import { type SettingProblem, SettingsError } from "./settingsError.ts";
import type { ProcessCount } from "./values.ts";
import {
  type OTLP_PROTOCOLS,
  type ROLES,
  type SAMPLERS,
  VARIABLES,
  type Values,
  type VariableName,
} from "./variables.ts";

/** What a process does: it serves requests, runs jobs, or both. */
export type Role = (typeof ROLES)[number];

/** The configuration of a deployment. Parsed once, at the start of the process, and passed on as this object. */
export interface Settings {
  readonly mode: "sandbox" | "live";
  readonly role: Role;
  /** False: `mode` is the default. */
  readonly modeIsSet: boolean;
  /** Number of processes that serve the port. */
  readonly processes: number;
  /** A supervisor starts them, and replaces them on SIGUSR2. */
  readonly hasSupervisor: boolean;
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
  /** How many jobs of each provider run at the same time in a process that runs jobs: reads, and revokes, erasures and re-checks. */
  readonly workerSlots: { readonly read: number; readonly settle: number };
  /** The first encrypts, all decrypt. Empty: one is created and stored in the data folder. */
  readonly encryptionKeys: readonly EncryptionKey[];
  /** Keys that the operator declared lost. */
  readonly lostEncryptionKeyIds: readonly string[];
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

/** The service's registration at the OpenID provider. */
export interface IssuerSettings {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: Secret;
  /** How the issuer returns to the callback; null or absent: as its metadata says. */
  readonly responseMode?: "query" | "form_post" | null;
}

/** Decided by the command line and not by the environment. */
export interface SettingsOverrides {
  readonly role?: Role;
  readonly processes?: ProcessCount;
  /** For commands that neither encrypt nor decrypt: they need no encryption key. */
  readonly needsNoEncryptionKey?: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Parses the environment; `overrides` come from the command line.
 *
 * @throws SettingsError that names every problem
 */
export function readSettings(environment: Environment, overrides: SettingsOverrides = {}): Settings {
  const problems: SettingProblem[] = [];
  const values = {} as Record<VariableName, unknown>;
  const { texts, sources } = readSecrets(environment, overrides, problems);
  const unread = new Set(problems.map(({ name }) => name.replace(/_(?:FILE|COMMAND)$/, "")));
  for (const [name, [schema, remedy]] of Object.entries(VARIABLES)) {
    if (unread.has(name)) continue;
    // An empty variable counts as missing: compose files and shells create them.
    const text = texts[name]?.trim() || undefined;
    const result = schema.safeParse(text);
    if (result.success) values[name as VariableName] = result.data;
    else problems.push({ name, problem: describe(result.error, sources.get(name)), remedy });
  }
  if (problems.length > 0) throw new SettingsError(problems);
  const settings = { ...toSettings(values as Values, overrides), modeIsSet: Boolean(texts.MODE?.trim()) };
  const contradictions = findContradictions(values as Values, settings, overrides);
  if (settings.requireDatabaseTls) contradictions.push(...databaseTlsProblems(settings, environment));
  if (contradictions.length > 0) throw new SettingsError(contradictions);
  return settings;
}

/** Parses the environment; besides the command line, the only place that reads it. */
export function settingsFromEnvironment(overrides: SettingsOverrides = {}): Settings {
  return readSettings(process.env, overrides);
}

function describe({ issues }: z.ZodError, source: string | undefined): string {
  const [issue] = issues;
  // The remedy names the values.
  const problem = issue === undefined || issue.code === "invalid_value" ? "it is not a known value" : issue.message;
  return source === undefined ? problem : `${problem}; its value comes from ${source}`;
}

/** The environment with the secrets that files and the command of the encryption keys provide, and the variables that name these. */
function readSecrets(
  environment: Environment,
  overrides: SettingsOverrides,
  problems: SettingProblem[],
): { readonly texts: Environment; readonly sources: ReadonlyMap<string, string> } {
  const texts = { ...environment };
  const sources = new Map<string, string>();
  const read = (name: VariableName, source: string, provide: () => string | undefined) => {
    try {
      const text = provide();
      if (text === undefined) return;
      texts[name] = text;
      sources.set(name, source);
    } catch (error) {
      if (!(error instanceof SecretSourceError)) throw error;
      problems.push({ name: error.setting, problem: error.message, remedy: error.remedy });
    }
  };
  for (const name of SECRET_SETTINGS) read(name, `${name}_FILE`, () => readSecretFile(name, environment));
  const setting = "ENCRYPTION_KEYS_COMMAND";
  read("ENCRYPTION_KEYS", setting, () => {
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
  return { texts, sources };
}

function toSettings(values: Values, overrides: SettingsOverrides): Omit<Settings, "modeIsSet"> {
  const { ISSUER_URL: url, ISSUER_CLIENT_ID: clientId, ISSUER_CLIENT_SECRET: clientSecret } = values;
  const processes = overrides.processes ?? values.PROCESSES;
  return {
    mode: values.MODE,
    role: overrides.role ?? values.ROLE,
    processes: processes === "auto" ? availableParallelism() : processes,
    // Also on one core, so that signals mean the same on every machine.
    hasSupervisor: processes === "auto" || processes > 1,
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
    workerSlots: { read: values.WORKER_READ_SLOTS, settle: values.WORKER_REVOKE_SLOTS },
    encryptionKeys: values.ENCRYPTION_KEYS.keys,
    lostEncryptionKeyIds: values.ENCRYPTION_KEYS.lostIds,
    issuer:
      url && clientId && clientSecret
        ? { url, clientId, clientSecret, responseMode: values.ISSUER_RESPONSE_MODE ?? null }
        : null,
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

/**
 * Live mode without an admin. Checked once the database is open: admins are also added by a command and by other
 * admins, so the settings are not enough.
 */
export function noAdminError(): SettingsError {
  const remedy = `${VARIABLES.ADMIN_EMAILS[1]}, or run \`social-connect admin add <email>\``;
  return new SettingsError([{ name: "ADMIN_EMAILS", problem: "live mode needs at least one admin", remedy }]);
}

/** The paths of the panel's build relative to this code: in the published package, and in a clone of the repository. */
const PACKAGED = new URL("./panel/", import.meta.url);
const CLONED = new URL("../../../panel/dist/", import.meta.url);

/** The folder of the panel that belongs to the server. It may not exist: a clone has it only after a build. */
function ownPanelFolder(): string {
  return fileURLToPath(existsSync(new URL("index.html", PACKAGED)) ? PACKAGED : CLONED);
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
  if (settings.databaseUrl === null && settings.hasSupervisor) {
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
