/** The files of `deploy`, against the settings of the service. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { DATABASE_ONLY } from "../src/cli/commands/operator.ts";
import { SECRET_SETTINGS } from "../src/config/secretSources.ts";
import { readSettings } from "../src/config/settings.ts";
import { SETTING_DEFAULTS } from "../src/config/variables.ts";

const read = (path: string) => readFileSync(new URL(`../../../deploy/${path}`, import.meta.url), "utf8");
const KNOWN = new Set([...Object.keys(SETTING_DEFAULTS), ...SECRET_SETTINGS.map((name) => `${name}_FILE`)]);
/** Variables of Node and of the simulator. */
const OTHERS = ["NODE_EXTRA_CA_CERTS", "SANDBOX_ORIGINS", "SOCIAL_CONNECT_PORT"];

/** `NAME: value` lines of YAML, with quotes removed. */
function variablesOf(yaml: string): Record<string, string> {
  const lines = [...yaml.matchAll(/^ {2,6}([A-Z][A-Z_]+): (?:&\w+ )?"?(.*?)"?$/gm)];
  return Object.fromEntries(lines.map(([, name = "", value = ""]) => [name, value]));
}

function lines(text: string, pattern: RegExp): Record<string, string> {
  return Object.fromEntries([...text.matchAll(pattern)].map(([, name = "", value = ""]) => [name, value]));
}

const KUBERNETES = variablesOf(read("kubernetes/configuration.yaml"));
const SYSTEMD = lines(read("systemd/environment.example"), /^([A-Z_]+)=(.*)$/gm);
const UNITS = lines(read("systemd/social-connect-api.service"), /^Environment=([A-Z_]+)=(.*)$/gm);
const COMPOSE = variablesOf(read("compose/compose.yaml"));
const SECRETS = {
  DATABASE_URL: "postgres://social_connect:x@db.example.com/social_connect?sslmode=verify-full",
  ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 1).toString("base64")}`,
  ISSUER_CLIENT_SECRET: "x",
};

test.each([
  ["Kubernetes", KUBERNETES],
  ["systemd", { ...SYSTEMD, ...UNITS }],
  ["Compose", COMPOSE],
])("the files for %s use only variables that exist", (_, variables) => {
  expect(Object.keys(variables).length).toBeGreaterThan(6);
  const unknown = Object.keys(variables).filter(
    (name) => !KNOWN.has(name) && !OTHERS.includes(name) && !name.startsWith("POSTGRES_"),
  );
  expect(unknown).toEqual([]);
});

test.each([
  ["Kubernetes", KUBERNETES],
  ["systemd", { ...SYSTEMD, MIGRATE: UNITS.MIGRATE }],
])("the settings for %s are valid in live mode", (_, variables) => {
  const withoutFiles = Object.entries(variables).filter(([name]) => !name.endsWith("_FILE"));
  const settings = readSettings({ ...Object.fromEntries(withoutFiles), ...SECRETS });
  expect(settings).toMatchObject({ mode: "live", migratesAtStart: false, requireDatabaseTls: true });
  expect(settings.trustedProxies.length).toBeGreaterThan(0);
});

test.each([
  ["Kubernetes", lines(read("kubernetes/migrate.yaml"), /name: ([A-Z_]+), value: (\S+) \}/g)],
  ["systemd", migrationVariables(read("systemd/social-connect-migrate.service"))],
])("the settings for migrations on %s are valid with the database's URL as the only secret", (_, variables) => {
  const { DATABASE_URL_FILE, ...others } = variables;
  expect(DATABASE_URL_FILE).toMatch(/database-url$/);
  expect(Object.keys(others).filter((name) => name.endsWith("_FILE"))).toEqual([]);
  const settings = readSettings({ ...others, DATABASE_URL: SECRETS.DATABASE_URL }, DATABASE_ONLY);
  expect(settings).toMatchObject({ mode: "live", requireDatabaseTls: true });
});

test.each([
  ["Kubernetes", ["migrate", "worker", "api"].map((role) => read(`kubernetes/${role}.yaml`)), /secretName: (\S+?),/],
  [
    "systemd",
    ["migrate", "worker", "api"].map((role) => read(`systemd/social-connect-${role}.service`)),
    /^LoadCredential=database-url:(.+)$/m,
  ],
])("migrations on %s can have another database user than the processes", (_, files, secret) => {
  const [migrate, ...others] = files.map((file) => secret.exec(file)?.[1]);
  expect(migrate).toMatch(/migrate/);
  for (const other of others) expect(other).toMatch(/^(?!.*migrate).+/);
});

/** What systemd passes on: the variables of its file and of the unit, without the names that the unit removes. */
function migrationVariables(unit: string): Record<string, string> {
  const removed = /^UnsetEnvironment=(.*)$/m.exec(unit)?.[1]?.split(" ") ?? [];
  const all = { ...SYSTEMD, ...lines(unit, /^Environment=([A-Z_]+)=(.*)$/gm) };
  return Object.fromEntries(Object.entries(all).filter(([name]) => !removed.includes(name)));
}

test("processes get more time to stop than their drain and shutdown take", () => {
  const defaults = readSettings({});
  const seconds = (defaults.drainMs + defaults.shutdownTimeoutMs) / 1_000;
  const graceOf = (text: string, pattern: RegExp) => Number(pattern.exec(text)?.[1]);
  expect(graceOf(read("compose/compose.yaml"), /stop_grace_period: (\d+)s/)).toBeGreaterThan(seconds);
  for (const role of ["api", "worker"]) {
    expect(graceOf(read(`systemd/social-connect-${role}.service`), /TimeoutStopSec=(\d+)/)).toBeGreaterThan(seconds);
    const ofPod = Number(KUBERNETES.DRAIN_SECONDS) + Number(KUBERNETES.SHUTDOWN_TIMEOUT_SECONDS);
    const grace = graceOf(read(`kubernetes/${role}.yaml`), /terminationGracePeriodSeconds: (\d+)/);
    expect(grace).toBeGreaterThan(ofPod);
  }
});
