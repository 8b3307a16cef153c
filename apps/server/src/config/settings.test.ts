import { inspect } from "node:util";
import { expect, test } from "vitest";
import { readSettings } from "./settings.ts";
import { settingsError } from "./testing/settingsError.ts";

const KEY = Buffer.alloc(32, 7).toString("base64");
const LIVE = {
  MODE: "live",
  PUBLIC_URL: "https://connect.example.com",
  DATABASE_URL: "postgres://service:canary-password@db.example.com/service?sslmode=verify-full",
  ENCRYPTION_KEYS: `k2:${KEY}`,
  ADMIN_EMAILS: "Admin@example.com",
};

test("an empty environment gives a sandbox on loopback with the embedded database", () => {
  expect(readSettings({})).toMatchObject({
    mode: "sandbox",
    role: "both",
    host: "127.0.0.1",
    publicUrl: "http://127.0.0.1:4400",
    databaseUrl: null,
    issuer: null,
    movableClock: false,
  });
});

test("an empty variable counts as missing", () => {
  expect(readSettings({ PORT: "", DATABASE_URL: "  " })).toEqual(readSettings({}));
});

test.each([
  ["PORT", "0"],
  ["PORT", "65536"],
  ["PORT", "80a"],
  ["PORT", "1e3"],
  ["MODE", "production"],
  ["ROLE", "api,worker"],
  ["PUBLIC_URL", "connect.example.com"],
  ["PUBLIC_URL", "ftp://example.com"],
  ["PUBLIC_URL", "http:127.0.0.1:4400"],
  ["PUBLIC_URL", "https://Connect.example.com"],
  ["PUBLIC_URL", "https://connect.example.com/panel"],
  ["ADMIN_URL", "https://admin.example.com/panel/clients"],
  ["ADMIN_URL", "https://admin.example.com?x"],
  ["ADMIN_URL", "https://user@admin.example.com"],
  ["ISSUER_URL", "http://id.example.com"],
  ["ISSUER_URL", "http://id.localhost"],
  ["ISSUER_URL", "http:/127.0.0.1"],
  ["DATABASE_URL", "mysql://localhost/x"],
  ["DATABASE_URL", "postgres://localhost"],
  ["ENCRYPTION_KEYS", "justakey"],
  ["ENCRYPTION_KEYS", "k1:c2hvcnQ="],
  ["ENCRYPTION_KEYS", `k1:${KEY},k1:${KEY}`],
  ["ENCRYPTION_KEYS", `k1:${KEY},k1:lost`],
  ["ENCRYPTION_KEYS", "k1:lost"],
  ["ADMIN_EMAILS", "admin"],
  ["LOG_LEVEL", "loud"],
  ["DATABASE_POOL_SIZE", "1"],
  ["DATABASE_TLS", "on"],
  ["PREVIEW_ORIGIN_TEMPLATE", "https://preview.example.app"],
  ["PREVIEW_ORIGIN_TEMPLATE", "https://x{label}.example.app"],
  ["PREVIEW_ORIGIN_TEMPLATE", "https://{label}.example.app/path"],
  ["TRUSTED_PROXIES", "proxy.example.com"],
  ["TRUSTED_PROXIES", "10.0.0.1,10.0.0.0/33"],
  ["TRUSTED_PROXIES", "10.0.0.0/08"],
  ["TRUSTED_PROXIES", "10.0.0.0/8/8"],
  ["TRUSTED_PROXIES", "2001:db8::/129"],
  ["TRUSTED_PROXIES", "::ffff:10.0.0.0/104"],
  ["TRUSTED_PROXIES", "fe80::1%eth0/64"],
  ["CLOCK", "sundial"],
  ["JITTER", "1"],
  ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318"],
  ["OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"],
  ["OTEL_EXPORTER_OTLP_HEADERS", "authorization"],
  ["OTEL_EXPORTER_OTLP_HEADERS", "a=b,"],
  ["OTEL_EXPORTER_OTLP_HEADERS", "a b=c"],
  ["OTEL_EXPORTER_OTLP_HEADERS", "a=100%"],
  ["OTEL_EXPORTER_OTLP_HEADERS", "a=b%0Ac"],
  ["OTEL_EXPORTER_OTLP_TIMEOUT", "10s"],
  ["OTEL_EXPORTER_OTLP_COMPRESSION", "zip"],
  ["OTEL_EXPORTER_OTLP_CERTIFICATE", "/nowhere.pem"],
  ["OTEL_EXPORTER_OTLP_CERTIFICATE", "/"],
])("an invalid %s is named, with the reason and the remedy (%s)", (name, value) => {
  const error = settingsError({ [name]: value });
  expect(error.problems.map((problem) => problem.name)).toEqual([name]);
  expect(error.message).toMatch(new RegExp(`^${name}: .+\\. (Set|Name) .+\\.$`));
});

test("the headers of a collector are name=value pairs", () => {
  const headers = "authorization=Bearer%20abc==, x-tenant = one,empty=";
  expect(() => readSettings({ OTEL_EXPORTER_OTLP_HEADERS: headers })).not.toThrow();
});

test("all problems are reported together", () => {
  expect(settingsError({ PORT: "x", MODE: "y" }).problems.map(({ name }) => name)).toEqual(["MODE", "PORT"]);
});

test("no message or printed setting contains a secret", () => {
  const messages = [
    settingsError({ DATABASE_URL: "canary://canary-password" }).message,
    settingsError({ ENCRYPTION_KEYS: "canary-password:short" }).message,
    settingsError({ OTEL_EXPORTER_OTLP_HEADERS: "authorization canary-password" }).message,
    inspect(readSettings(LIVE), { depth: 10 }),
    JSON.stringify(readSettings(LIVE)),
  ];
  for (const message of messages) {
    expect(message).not.toContain("canary-password");
    expect(message).not.toContain(KEY);
  }
});

test("live mode accepts an encryption key, an https URL and an admin", () => {
  const settings = readSettings(LIVE);
  expect(settings).toMatchObject({ mode: "live", adminEmails: ["admin@example.com"] });
  expect(settings.encryptionKeys.map(({ id }) => id)).toEqual(["k2"]);
});

test.each([
  ["ENCRYPTION_KEYS", { ENCRYPTION_KEYS: undefined }],
  ["ENCRYPTION_KEYS", { ENCRYPTION_KEYS: undefined, DATABASE_URL: undefined }],
  ["PUBLIC_URL", { PUBLIC_URL: "http://connect.example.com" }],
  ["PUBLIC_URL", { PUBLIC_URL: undefined }],
  ["CLOCK", { CLOCK: "movable" }],
  ["JITTER", { JITTER: "0.5" }],
])("live mode does not start with %s %j", (name, change) => {
  expect(settingsError({ ...LIVE, ...change }).problems.map((problem) => problem.name)).toEqual([name]);
});

test("an unknown value is refused with the known ones", () => {
  expect(settingsError({ LOG_LEVEL: "loud" }).message).toBe(
    "LOG_LEVEL: it is not a known value. Set it to one of fatal, error, warn, info, debug, silent.",
  );
});

test.each(["0", "-1", "1.5", "257", "many"])("a number of processes cannot be %s", (value) => {
  expect(settingsError({ PROCESSES: value }).message).toMatch(
    /^PROCESSES: it is n.+ whole number from 1 to 256\. Set it/,
  );
});

test.each(["https://id.example.com", "https://id.example.com/", "https://id.example.com/application/o/social/"])(
  "keeps the name of the issuer %s",
  (url) => {
    const issuer = { ISSUER_URL: url, ISSUER_CLIENT_ID: "service", ISSUER_CLIENT_SECRET: "s" };
    expect(readSettings(issuer).issuer).toMatchObject({ url, responseMode: null });
    const posted = readSettings({ ...issuer, ISSUER_RESPONSE_MODE: "form_post" });
    expect(posted.issuer).toMatchObject({ url, responseMode: "form_post" });
  },
);

test("an issuer requires its URL, client id and client secret together", () => {
  const issuer = { ISSUER_URL: "https://id.example.com/", ISSUER_CLIENT_ID: "service", ISSUER_CLIENT_SECRET: "s" };
  expect(readSettings(issuer).issuer).toMatchObject({ url: "https://id.example.com/", clientId: "service" });
  expect(settingsError({ ISSUER_URL: issuer.ISSUER_URL }).problems.map(({ name }) => name)).toEqual([
    "ISSUER_CLIENT_ID",
    "ISSUER_CLIENT_SECRET",
  ]);
});

test("the slots of a worker have defaults, and a whole number of at least one", () => {
  expect(readSettings({}).workerSlots).toEqual({ read: 4, settle: 2 });
  const slots = { WORKER_READ_SLOTS: "16", WORKER_REVOKE_SLOTS: "1" };
  expect(readSettings(slots).workerSlots).toEqual({ read: 16, settle: 1 });
  expect(() => readSettings({ WORKER_READ_SLOTS: "0" })).toThrow("WORKER_READ_SLOTS");
});

test("a process that shares its database requires its URL and keys", () => {
  expect(settingsError({ ROLE: "worker" }).problems.map(({ name }) => name)).toEqual(["DATABASE_URL"]);
  expect(settingsError({ DATABASE_URL: LIVE.DATABASE_URL }).problems.map(({ name }) => name)).toEqual([
    "ENCRYPTION_KEYS",
  ]);
  const shared = { DATABASE_URL: LIVE.DATABASE_URL, ENCRYPTION_KEYS: LIVE.ENCRYPTION_KEYS };
  expect(readSettings(shared, { role: "worker" }).role).toBe("worker");
});

const REMOTE = "postgres://service:canary-password@db.example.com/service";
const VERIFIED = `${REMOTE}?sslmode=verify-full`;
test.each([
  ["live, on another machine, verified", { ...LIVE, DATABASE_URL: VERIFIED }, true],
  ["live, on another machine, disabled", { ...LIVE, DATABASE_URL: REMOTE, DATABASE_TLS: "off" }, false],
  ["live, on loopback", { ...LIVE, DATABASE_URL: "postgres://service@127.0.0.1/service" }, false],
  ["live, on IPv6 loopback", { ...LIVE, DATABASE_URL: "postgres://service@[::1]/service" }, false],
  ["live, on a Unix socket", { ...LIVE, DATABASE_URL: "postgres://service@%2Fvar%2Frun/service" }, false],
  ["live, on a Unix socket in the query", { ...LIVE, DATABASE_URL: "postgres:///service?host=/var/run" }, false],
  ["a sandbox on another machine", { ...LIVE, MODE: "sandbox", DATABASE_URL: REMOTE }, false],
  [
    "a sandbox that requires it",
    { ...LIVE, MODE: "sandbox", DATABASE_URL: `${VERIFIED}&sslrootcert=/etc/ca.crt`, DATABASE_TLS: "require" },
    true,
  ],
])("whether TLS to the database is required: %s", (_, environment, expected) => {
  expect(readSettings(environment).requireDatabaseTls).toBe(expected);
});

test.each([
  ["DATABASE_URL", "no sslmode", { DATABASE_URL: REMOTE }],
  ["DATABASE_URL", "a weaker sslmode", { DATABASE_URL: `${REMOTE}?sslmode=require` }],
  ["DATABASE_URL", "sslmode=no-verify", { DATABASE_URL: `${REMOTE}?sslmode=no-verify` }],
  ["DATABASE_URL", "two different sslmodes", { DATABASE_URL: `${VERIFIED}&sslmode=disable` }],
  [
    "DATABASE_URL",
    "another machine in the query",
    { DATABASE_URL: "postgres://service@127.0.0.1/service?host=db.example.com" },
  ],
  ["DATABASE_URL", "no host", { DATABASE_URL: "postgres:///service" }],
  ["DATABASE_URL", "loopback", { DATABASE_URL: "postgres://service@127.0.0.1/service", DATABASE_TLS: "require" }],
  ["DATABASE_URL", "the embedded database", { DATABASE_URL: undefined, DATABASE_TLS: "require" }],
  ["NODE_TLS_REJECT_UNAUTHORIZED", "verification that is disabled", { NODE_TLS_REJECT_UNAUTHORIZED: "0" }],
])("required TLS to the database rejects %s: %s", (name, _, change) => {
  const { problems, message } = settingsError({ ...LIVE, ...change });
  expect(problems.map((problem) => problem.name)).toEqual([name]);
  expect(message).not.toContain("canary-password");
});
