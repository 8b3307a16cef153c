import { z } from "zod";
import type { LogLevel } from "../platform/logger.ts";
import { LOG_LEVELS } from "../platform/logger.ts";
import type { Secret } from "../platform/secret.ts";
import type { EncryptionKey } from "../platform/secretBox.ts";
import { databaseTlsProblems, isLocalDatabase } from "./databaseTls.ts";
import { ownPanelFolder } from "./panelFolder.ts";
import {
  baseAddress,
  calledAddress,
  emailList,
  encryptionKeys,
  fraction,
  list,
  port,
  postgresUrl,
  previewTemplate,
  secret,
  wholeNumber,
} from "./values.ts";

export const ROLES = ["api", "worker", "both"] as const;
/** What a process does: it answers, it works in the background, or both. */
export type Role = (typeof ROLES)[number];

/** Everything that a deployment decides. Read once, at the start of the process, and handed on as this object. */
export interface Settings {
  readonly mode: "sandbox" | "live";
  readonly role: Role;
  readonly host: string;
  readonly port: number;
  /** Base address of the consumer API and of the browser side of Connect, without a trailing slash. */
  readonly publicUrl: string;
  /** Base address of the admin API and the panel; `http` on loopback is how a deployment says that plain http will do there. */
  readonly adminUrl: string;
  /** null: the embedded database in the data folder. */
  readonly databaseUrl: Secret | null;
  /** Connections to the database use TLS and verify the server's certificate. */
  readonly requireDatabaseTls: boolean;
  readonly dataFolder: string;
  /** Where the admin panel's build lies. */
  readonly panelFolder: string;
  readonly embeddedDatabasePort: number;
  /** Most database connections of this process. */
  readonly databasePoolSize: number;
  /** The first seals, all open. Empty: one is made and kept in the data folder. */
  readonly encryptionKeys: readonly EncryptionKey[];
  /** The OpenID provider of the identity handoff and of the admins; null switches both off. */
  readonly issuer: IssuerSettings | null;
  /** Addresses whose `X-Forwarded-*` headers are believed. */
  readonly trustedProxies: readonly string[];
  /** E-mail addresses of the first admins. */
  readonly adminEmails: readonly string[];
  readonly logLevel: LogLevel;
  readonly previewOriginTemplate: string | null;
  /** The clock can be moved; never in live mode. */
  readonly movableClock: boolean;
  /** Where retries and background reads fall in the range they are spread over, from 0 to 1; null: by chance. Never in live mode. */
  readonly jitter: number | null;
  /** How long a stop serves on after readiness went off, so that load balancers look away first, in milliseconds. */
  readonly drainMs: number;
  /** How long a stop waits for work in hand after that, in milliseconds. */
  readonly shutdownTimeoutMs: number;
}

/** How the service is known at the OpenID provider. */
export interface IssuerSettings {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: Secret;
}

/** A wrong or missing setting: which, why, and how to mend it. */
export interface SettingProblem {
  readonly name: string;
  readonly problem: string;
  readonly remedy: string;
}

/** Settings that cannot be started with: the message names each, and how to mend it, and repeats no value. */
export class SettingsError extends Error {
  readonly problems: readonly SettingProblem[];

  constructor(problems: readonly SettingProblem[]) {
    super(problems.map(({ name, problem, remedy }) => `${name}: ${problem}. ${remedy}.`).join("\n"));
    this.name = "SettingsError";
    this.problems = problems;
  }
}

/** Each environment variable: how it is read, and what to write instead of a wrong one. */
const VARIABLES = {
  MODE: [z.enum(["sandbox", "live"]).default("sandbox"), "Set it to sandbox or live"],
  ROLE: [z.enum(ROLES).default("both"), "Set it to api, worker or both"],
  HOST: [z.string().default("127.0.0.1"), "Set it to the address to listen on, e.g. 0.0.0.0"],
  PORT: [port.default(4400), "Set it to a port from 1 to 65535, e.g. PORT=8080"],
  PUBLIC_URL: [baseAddress.optional(), "Set it to the address callers use, e.g. https://connect.example.com"],
  ADMIN_URL: [baseAddress.optional(), "Set it to the address admins use, e.g. https://admin.example.com"],
  DATABASE_URL: [postgresUrl.optional(), "Set it to postgres://user:password@host:5432/database"],
  DATABASE_TLS: [z.enum(["require", "off"]).optional(), "Set it to require or off"],
  DATA_DIR: [z.string().default(".social-connect"), "Set it to a folder that may be written"],
  PANEL_DIR: [z.string().optional(), "Set it to the folder that holds the panel's index.html, or leave it out"],
  EMBEDDED_DATABASE_PORT: [port.default(4404), "Set it to a free port, or set DATABASE_URL"],
  DATABASE_POOL_SIZE: [wholeNumber(2, 200).default(10), "Set it to a whole number from 2 to 200"],
  ENCRYPTION_KEYS: [
    encryptionKeys.default([]),
    "Set it to id:key pairs with commas between, newest first; `openssl rand -base64 32` makes a key",
  ],
  ISSUER_URL: [calledAddress.optional(), "Set it to the OpenID provider's issuer address, e.g. https://id.example.com"],
  ISSUER_CLIENT_ID: [z.string().optional(), "Set it to this service's client id at the issuer"],
  ISSUER_CLIENT_SECRET: [secret.optional(), "Set it to this service's client secret at the issuer"],
  TRUSTED_PROXIES: [list.default([]), "Set it to IP addresses with commas between"],
  ADMIN_EMAILS: [emailList.default([]), "Set it to e-mail addresses with commas between"],
  LOG_LEVEL: [z.enum(LOG_LEVELS).default("info"), `Set it to one of ${LOG_LEVELS.join(", ")}`],
  PREVIEW_ORIGIN_TEMPLATE: [previewTemplate.optional(), "Set it like https://{label}.preview.example.app"],
  CLOCK: [z.enum(["system", "movable"]).default("system"), "Set it to system or movable"],
  JITTER: [fraction.optional(), "Set it to a number from 0 to below 1, or leave it out"],
  DRAIN_SECONDS: [wholeNumber(0, 300).default(3), "Set it to a whole number of seconds from 0 to 300"],
  SHUTDOWN_TIMEOUT_SECONDS: [wholeNumber(3, 600).default(20), "Set it to a whole number of seconds from 3 to 600"],
} as const satisfies Record<string, readonly [z.ZodType, string]>;

type VariableName = keyof typeof VARIABLES;

/** Every variable by its name, and what stands in for it when it is left out; the documentation is held against this. */
export const SETTING_DEFAULTS: Readonly<Record<string, unknown>> = Object.fromEntries(
  Object.entries(VARIABLES).map(([name, [schema]]) => [name, schema.parse(undefined)]),
);

type Values = { [Name in VariableName]: z.output<(typeof VARIABLES)[Name][0]> };

/** What the command line decides and the environment does not. */
export interface SettingsOverrides {
  readonly role?: Role;
  /** For commands that neither seal nor open anything: they ask for no encryption key. */
  readonly opensNothingSealed?: boolean;
}

/**
 * Parses the environment (or whatever is given for it); `overrides` come from the command line.
 *
 * @throws SettingsError that names every problem at once
 */
export function readSettings(
  environment: Readonly<Record<string, string | undefined>>,
  overrides: SettingsOverrides = {},
): Settings {
  const problems: SettingProblem[] = [];
  const values = {} as Record<VariableName, unknown>;
  for (const [name, [schema, remedy]] of Object.entries(VARIABLES)) {
    // A variable that is set to nothing is as good as none: compose files and shells make them.
    const text = environment[name]?.trim() || undefined;
    const result = schema.safeParse(text);
    if (result.success) values[name as VariableName] = result.data;
    else problems.push({ name, problem: result.error.issues[0]?.message ?? "it is wrong", remedy });
  }
  if (problems.length > 0) throw new SettingsError(problems);
  const settings = toSettings(values as Values, overrides);
  const contradictions = findContradictions(values as Values, settings, overrides);
  if (settings.requireDatabaseTls) contradictions.push(...databaseTlsProblems(settings.databaseUrl, environment));
  if (contradictions.length > 0) throw new SettingsError(contradictions);
  return settings;
}

function toSettings(values: Values, overrides: SettingsOverrides): Settings {
  const { ISSUER_URL: url, ISSUER_CLIENT_ID: clientId, ISSUER_CLIENT_SECRET: clientSecret } = values;
  return {
    mode: values.MODE,
    role: overrides.role ?? values.ROLE,
    host: values.HOST,
    port: values.PORT,
    publicUrl: values.PUBLIC_URL ?? `http://127.0.0.1:${values.PORT}`,
    adminUrl: values.ADMIN_URL ?? values.PUBLIC_URL ?? `http://127.0.0.1:${values.PORT}`,
    databaseUrl: values.DATABASE_URL ?? null,
    requireDatabaseTls: requiresDatabaseTls(values),
    dataFolder: values.DATA_DIR,
    panelFolder: values.PANEL_DIR ?? ownPanelFolder(),
    embeddedDatabasePort: values.EMBEDDED_DATABASE_PORT,
    databasePoolSize: values.DATABASE_POOL_SIZE,
    encryptionKeys: values.ENCRYPTION_KEYS,
    issuer: url && clientId && clientSecret ? { url, clientId, clientSecret } : null,
    trustedProxies: values.TRUSTED_PROXIES,
    adminEmails: values.ADMIN_EMAILS,
    logLevel: values.LOG_LEVEL,
    previewOriginTemplate: values.PREVIEW_ORIGIN_TEMPLATE ?? null,
    movableClock: values.CLOCK === "movable",
    jitter: values.JITTER ?? null,
    drainMs: values.DRAIN_SECONDS * 1_000,
    shutdownTimeoutMs: values.SHUTDOWN_TIMEOUT_SECONDS * 1_000,
  };
}

function requiresDatabaseTls({ MODE: mode, DATABASE_TLS: tls, DATABASE_URL: url }: Values): boolean {
  if (tls !== undefined) return tls === "require";
  return mode === "live" && url !== undefined && !isLocalDatabase(url);
}

/** Settings that are each well formed but cannot stand together. */
function findContradictions(values: Values, settings: Settings, overrides: SettingsOverrides): SettingProblem[] {
  const problems: SettingProblem[] = [];
  const add = (name: VariableName, problem: string, remedy: string = VARIABLES[name][1]) =>
    problems.push({ name, problem, remedy });

  for (const name of ["ISSUER_URL", "ISSUER_CLIENT_ID", "ISSUER_CLIENT_SECRET"] as const) {
    const someIsSet = values.ISSUER_URL ?? values.ISSUER_CLIENT_ID ?? values.ISSUER_CLIENT_SECRET;
    if (someIsSet !== undefined && values[name] === undefined)
      add(name, "it is missing, and the issuer needs all three");
  }
  if (settings.databaseUrl === null && settings.role !== "both") {
    add("DATABASE_URL", `a process of role ${settings.role} shares its database with others, so it needs an address`);
  }
  if (settings.databaseUrl !== null && settings.encryptionKeys.length === 0 && !overrides.opensNothingSealed) {
    add("ENCRYPTION_KEYS", "it is missing, and every process on this database must have the same keys");
  }
  if (settings.mode === "live") {
    const isHttps = (address: string) => address.startsWith("https://");
    if (settings.encryptionKeys.length === 0 && settings.databaseUrl === null) {
      add("ENCRYPTION_KEYS", "live mode needs an encryption key of its own");
    }
    if (!isHttps(settings.publicUrl)) add("PUBLIC_URL", "live mode needs an https address");
    if (values.ADMIN_URL !== undefined && !isHttps(settings.adminUrl)) {
      add("ADMIN_URL", "live mode needs an https address");
    }
    if (settings.issuer !== null && !isHttps(settings.issuer.url))
      add("ISSUER_URL", "live mode needs an https address");
    if (settings.movableClock) add("CLOCK", "live mode's clock cannot be moved", "Set it to system, or leave it out");
    if (settings.jitter !== null) add("JITTER", "live mode spreads its work by chance", "Leave it out");
  }
  return problems;
}

/**
 * Live mode with nobody to administer it. Told once the database is there: admins are named by a command and by other
 * admins too, so the settings alone do not know.
 */
export function noAdminError(): SettingsError {
  const remedy = `${VARIABLES.ADMIN_EMAILS[1]}, or run \`social-connect admin add <email>\``;
  return new SettingsError([{ name: "ADMIN_EMAILS", problem: "live mode needs at least one admin", remedy }]);
}
