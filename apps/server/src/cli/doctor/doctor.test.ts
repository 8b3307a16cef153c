import { randomBytes } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { CAPABILITIES, SOCIAL_PROVIDERS, type SocialProvider } from "@social-connect/contract";
import { bySlug } from "@social-connect/domain";
import { type RunningSimulator, simulatorRegistration, startSimulator } from "@social-connect/simulator";
import { reservePort, runStatement, serve, testDatabase } from "@social-connect/testkit";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { requireCorrectKeys } from "../../modules/encryption/keyChecks.ts";
import { createRegistration } from "../../modules/registrations/changeRegistration.ts";
import { publishRegistration } from "../../modules/registrations/publishRegistration.ts";
import { runSweeps } from "../../modules/sweeps/runSweeps.ts";
import { createAdminMember, createApiKey, sessionOf } from "../../modules/testing/admins.ts";
import { createApplication } from "../../modules/testing/builders.ts";
import { createEventEndpoint } from "../../modules/testing/rows.ts";
import { startTestService, type TestService } from "../../modules/testing/testService.ts";
import { Secret } from "../../platform/secrets/secret.ts";
import { createSecretBox } from "../../platform/secrets/secretBox.ts";
import { folder, useFolderPerTest } from "../../platform/testing/folderPerTest.ts";
import { providerAdapter } from "../../providers/registry/registry.ts";
import { prepareTaskQueues } from "../../worker/boss.ts";
import { HOURLY_SWEEPS, MINUTE_SWEEPS } from "../../worker/sweeps.ts";
import { examine, REAL_SURROUNDINGS } from "./doctor.ts";
import type { Finding } from "./finding.ts";
import { checkDisk } from "./machine.ts";

useFolderPerTest();

const HOUR = 3_600_000;
const PUBLIC_URL = "http://127.0.0.1:9";
const CLIENT = { clientId: "sim-client", clientSecret: "sim-secret" };
const ISSUER_CLIENT = {
  clientId: "panel",
  clientSecret: "panel-secret",
  redirectUris: [`${PUBLIC_URL}/panel/callback`, "https://127.0.0.1:9/panel/callback"],
};
const KEY = randomBytes(32).toString("base64");
/** The key of an id under which nothing is stored. */
const UNUSED_KEY = randomBytes(32).toString("base64");

let service: TestService;
let simulator: RunningSimulator;
/** A deployment without a problem. */
let healthy: Record<string, string>;

beforeAll(async () => {
  const secretBox = createSecretBox([{ id: "first", key: new Secret(KEY) }]);
  service = await startTestService({ provider: providerAdapter, connectHost: PUBLIC_URL, secretBox });
  // The command uses the real time.
  service.clock.set(new Date());
  await prepareTaskQueues(service.pool);
  await requireCorrectKeys(service, [{ id: "unused", key: new Secret(UNUSED_KEY) }]);
  const clients = bySlug((slug) => [{ ...CLIENT, redirectUris: [`${PUBLIC_URL}/api/connect/callback/${slug}`] }]);
  simulator = await startSimulator({ port: 0, issuerPort: 0, clients, issuerClients: [ISSUER_CLIENT] });
  const actor = sessionOf(service, await createAdminMember(service));
  const { id } = await createRegistration(service, actor, "PROVIDER_A", registrationInput());
  await publishRegistration(service, actor, id);
  await runSweeps(service, [...MINUTE_SWEEPS, ...HOURLY_SWEEPS]);
  healthy = {
    DATABASE_URL: service.pool.options.connectionString ?? "",
    ENCRYPTION_KEYS: `first:${KEY}`,
    PORT: String(await reservePort()),
    PUBLIC_URL,
    ISSUER_URL: simulator.issuerUrl,
    ISSUER_CLIENT_ID: ISSUER_CLIENT.clientId,
    ISSUER_CLIENT_SECRET: ISSUER_CLIENT.clientSecret,
    LOG_LEVEL: "silent",
  };
});
afterAll(async () => {
  await simulator.close();
  await service.close();
});

function registrationInput() {
  const { addresses, scopes } = simulatorRegistration(simulator.providerUrls, "provider-a", {
    ...CLIENT,
    redirectUris: [],
  });
  return {
    ...CLIENT,
    addresses,
    scopes: CAPABILITIES.map((capability) => ({ capability, scopes: scopes[capability] })),
    capabilities: ["PROFILE", "CONTENT_LIST"] as const,
    clientIds: null,
  };
}

// The command uses the real time, and a busy machine may need longer for all tests than a sweep may be late.
beforeEach(() => service.pool.query("UPDATE sweep_state SET ran_at = now(), succeeded_at = now()"));

/** The findings that are not ok, as `check: message`. */
function problemsOf(findings: readonly Finding[]): string[] {
  return findings
    .filter(({ status }) => status === "failed" || status === "warning")
    .map(({ check, message }) => `${check}: ${message}`);
}

async function problems(changes: Record<string, string | undefined>, surroundings = REAL_SURROUNDINGS) {
  return problemsOf(await examine({ ...healthy, ...changes }, surroundings));
}

/** Runs a statement until the end of the test, and the other one afterwards. */
async function change(statement: string, back: string): Promise<void> {
  await service.pool.query(statement);
  onTestFinished(async () => void (await service.pool.query(back)));
}

test("finds nothing on a healthy deployment", async () => {
  const findings = await examine(healthy);
  expect(problemsOf(findings)).toEqual([]);
  const checked = findings.filter(({ status }) => status === "ok").map(({ check }) => check);
  expect(checked).toEqual([
    ...[
      "node",
      "settings",
      "proxies",
      "ports",
      "database",
      "connections",
      "clock",
      "role",
      "migrations",
      "times",
      "encryption",
      "issuer",
    ],
    ...["provider PROVIDER_A", "admins", "sweeps", "keys"],
  ]);
  expect(JSON.stringify(findings)).not.toMatch(/sim-secret|panel-secret/);
  expect(JSON.stringify(findings)).not.toContain(KEY);
});

const OTHER_KEY = randomBytes(32).toString("base64");

test.each<[string, Record<string, string | undefined>, RegExp]>([
  ["an invalid setting", { PORT: "eighty" }, /^setting PORT: /],
  [
    "an unreachable database",
    { DATABASE_URL: "postgres://user:secret@127.0.0.1:1/none" },
    /^database: .*nothing listens/,
  ],
  [
    "a wrong encryption key under a known id",
    { ENCRYPTION_KEYS: `first:${OTHER_KEY}` },
    /^encryption: "first" is not the key/,
  ],
  [
    "a wrong encryption key that encrypted no value yet",
    { ENCRYPTION_KEYS: `first:${KEY},unused:${OTHER_KEY}` },
    /^encryption: "unused" is not the key/,
  ],
  [
    "a missing encryption key",
    { ENCRYPTION_KEYS: `second:${OTHER_KEY}` },
    /^encryption: the encryption key "first" is missing, .*client_secret_sealed \(1\)/,
  ],
  [
    "an unreachable issuer",
    { ISSUER_URL: "http://127.0.0.1:9" },
    /^issuer: .*the request to http:\/\/127\.0\.0\.1:9 failed: /,
  ],
  [
    "a client secret that the issuer refuses",
    { ISSUER_CLIENT_SECRET: "canary-secret" },
    /^issuer: .* refuses the client "[^"]+" or its secret$/,
  ],
  [
    "a client that the issuer does not know",
    { ISSUER_CLIENT_ID: "unknown" },
    /^issuer: .* refuses the client "unknown"/,
  ],
  ["a trusted proxy that is everyone", { TRUSTED_PROXIES: "0.0.0.0/0" }, /^proxies: .*any address/],
  ["trusted proxies that are half of the internet", { TRUSTED_PROXIES: "10.0.0.0/8,128.0.0.0/1" }, /^proxies: 128/],
  ["trusted proxies that are all of IPv6", { TRUSTED_PROXIES: "fd00::/8,2000::/3" }, /^proxies: 2000::/],
  ["an address of another machine", { HOST: "192.0.2.1" }, /^ports: PORT 192\.0\.2\.1:\d+: .*not one of this machine/],
  [
    "a collector that does not run",
    { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" },
    /^traces: .*cannot be reached \(ECONNREFUSED\)$/,
  ],
  [
    "pools larger than the database",
    { PROCESSES: "16", DATABASE_POOL_SIZE: "200" },
    /^connections: 16 processes use up to/,
  ],
])("finds %s", async (_, changes, problem) => {
  const found = await problems(changes);
  expect(found).toEqual([expect.stringMatching(problem)]);
  expect(found.join()).not.toMatch(/user:secret/);
});

test("finds HTTPS without a trusted proxy, and that nothing responds there", async () => {
  expect(await problems({ ADMIN_URL: "https://127.0.0.1:9" })).toEqual([
    expect.stringMatching(/^proxies: .*no proxy is trusted/),
    "ADMIN_URL: https://127.0.0.1:9 does not respond (ECONNREFUSED)",
  ]);
});

test("finds a database that accepts no changes", async () => {
  const readOnly = `${healthy["DATABASE_URL"]}?options=-c%20default_transaction_read_only%3Don`;
  expect(await problems({ DATABASE_URL: readOnly })).toEqual([
    expect.stringMatching(/^database: .* its URL sets default_transaction_read_only to on/),
  ]);
});

test.each([
  [401, { error: "access_denied" }, true],
  [400, { error: "invalid_client" }, true],
  [403, { error: "invalid_grant" }, false],
])("an issuer's answer of %i with %j means a refused client: %s", async (status, body, isRefused) => {
  const issuer = await serve((request, response) => {
    const url = `http://${request.headers.host}`;
    const isToken = request.url === "/token";
    const endpoints = {
      token_endpoint: `${url}/token`,
      authorization_endpoint: `${url}/authorize`,
      jwks_uri: `${url}/jwks`,
    };
    response.writeHead(isToken ? status : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(isToken ? body : { issuer: url, ...endpoints, keys: [{ kty: "RSA" }] }));
  });
  onTestFinished(() => issuer.close());
  expect(await problems({ ISSUER_URL: issuer.url })).toEqual(
    isRefused ? [expect.stringMatching(/^issuer: .* refuses the client/)] : [],
  );
});

test("finds a web page in place of the issuer", async () => {
  const { url } = await serveText("<html>canary</html>");
  const [found, ...others] = await problems({ ISSUER_URL: url });
  expect(found).toMatch(/^issuer: .*its metadata is not JSON; the address may be that of a web page$/);
  expect([found, ...others].join()).not.toContain("canary");
  expect(others).toEqual([]);
});

test("finds another program at a port, and not the service itself", async () => {
  const { port } = new URL((await serveText("hello\n")).url);
  const used = expect.stringMatching(new RegExp(`^ports: .*:${port}: another program uses it`));
  expect(await problems({ PORT: port })).toEqual([used]);
  expect(await problems({ METRICS_PORT: port })).toEqual([used]);
  const own = new URL((await serveText("ok\n")).url);
  expect(await problems({ PORT: own.port })).toEqual([]);
});

test("asks the collector for traces as a process does", async () => {
  const asked: string[] = [];
  const collector = await serve((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(request.url === "/v1/traces" ? 200 : 404).end("canary");
  });
  onTestFinished(() => collector.close());
  expect(await problems({ OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/` })).toEqual([]);
  const wrong = await problems({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/traces` });
  expect(wrong).toEqual(["traces: the collector does not accept spans: it responds with status 404"]);
  expect(asked).toEqual(["POST /v1/traces", "POST /traces"]);
});

test("creates nothing before the first start", async () => {
  const embedded = { DATABASE_URL: undefined, ENCRYPTION_KEYS: undefined, DATA_DIR: join(folder, "data") };
  const findings = await examine({ ...healthy, ...embedded });
  expect(problemsOf(findings)).toEqual([]);
  expect(findings.at(-1)).toMatchObject({ check: "database", status: "skipped" });
  expect(existsSync(join(folder, "data"))).toBe(false);
});

test("finds a data folder that cannot be written", async () => {
  writeFileSync(join(folder, "file"), "");
  for (const path of [join(folder, "file"), join(folder, "file", "data")]) {
    const found = await problems({ DATABASE_URL: undefined, DATA_DIR: path });
    expect(found).toEqual([expect.stringMatching(/^data folder: .*(?:is not a folder|cannot be written)/)]);
  }
});

/** A server that responds to every request with the same text. */
async function serveText(text: string) {
  const server = await serve((_request, response) => void response.end(text));
  onTestFinished(() => server.close());
  return server;
}

/** A proxy or a service in place of it. */
async function serveAnswers(answer: (path: string) => readonly [number, string]) {
  const server = await serve((request, response) => {
    const [status, body] = answer(request.url ?? "");
    response.writeHead(status, { "content-type": "application/json" }).end(body);
  });
  onTestFinished(() => server.close());
  return server.url;
}

const STATUS = JSON.stringify({ data: { status: { ok: true } } });
const refused = (code: string) => JSON.stringify({ errors: [{ extensions: { code } }] });

test.each<[string, (path: string) => readonly [number, string], RegExp[]]>([
  ["the service itself", (path) => [200, path === "/graphql" ? STATUS : refused("UNAUTHENTICATED")], []],
  [
    "an admin API that refuses the proxy",
    (path) => [200, path === "/graphql" ? STATUS : refused("FORBIDDEN")],
    [/^ADMIN_URL: .*refuses every call, because of its Host or because it sees no HTTPS$/],
  ],
  [
    "a web page",
    () => [200, "<html>canary</html>"],
    [/^PUBLIC_URL: .*not this service/, /^ADMIN_URL: .*not this service/],
  ],
  [
    "a proxy without an api",
    () => [502, "canary"],
    [/^PUBLIC_URL: .*reaches no api \(502\)$/, /^ADMIN_URL: .*\(502\)$/],
  ],
])("calls PUBLIC_URL and ADMIN_URL and finds %s", async (_, answer, expected) => {
  const url = await serveAnswers(answer);
  const found = await problems({ PUBLIC_URL: url, ADMIN_URL: url });
  expect(found.filter((problem) => /_URL: /.test(problem))).toEqual(
    expected.map((problem) => expect.stringMatching(problem)),
  );
  expect(found.join()).not.toContain("canary");
});

test("sends the endpoints of clients a test event", async () => {
  const application = await createApplication(service, "shop", { providers: ["PROVIDER_A"] });
  const bodies: string[] = [];
  const receiver = await serve(async (request, response) => {
    bodies.push(await text(request));
    response.writeHead(request.url === "/moved" ? 410 : 200).end();
  });
  onTestFinished(() => receiver.close());
  const { id } = await createEventEndpoint(service, application, { url: `${receiver.url}/events` });
  onTestFinished(async () => void (await service.prisma.application.delete({ where: { id: application.id } })));
  expect(await problems({})).toEqual([]);
  expect(JSON.parse(bodies[0] ?? "")).toMatchObject({ type: "test", data: {} });
  await createEventEndpoint(service, application, { url: `${receiver.url}/moved` });
  expect(await problems({})).toEqual([`events: shop at ${receiver.url}: it answers with 410`]);
  // A check turns nothing off.
  expect(await service.prisma.eventEndpoint.count({ where: { enabled: true } })).toBe(2);
  await service.prisma.eventEndpoint.updateMany({ where: { id }, data: { secretSealed: "v1.first.a.b" } });
  expect((await problems({}))[0]).toContain("the secret of the endpoint cannot be decrypted");
});

test("finds an old Node", async () => {
  expect(await problems({}, { ...REAL_SURROUNDINGS, nodeVersion: "20.20.2" })).toEqual([
    expect.stringMatching(/^node: this is Node 20\.20\.2/),
  ]);
});

test("finds a clock that is an hour ahead", async () => {
  expect(await problems({}, { ...REAL_SURROUNDINGS, now: () => new Date(Date.now() + HOUR) })).toEqual([
    expect.stringMatching(/^clock: .* differ by (3599|3600)\.\d s$/),
  ]);
});

test("finds a database without this version's migrations", async () => {
  const { url, drop } = await testDatabase({ migrated: false });
  onTestFinished(drop);
  expect(await problems({ DATABASE_URL: url })).toEqual([expect.stringMatching(/^migrations: .*_initial\b/)]);
});

test("finds a task queue that was not prepared", async () => {
  const { url, drop } = await testDatabase();
  onTestFinished(drop);
  const found = await problems({ DATABASE_URL: url });
  expect(found).toEqual([expect.stringMatching(/^migrations: .*task queue/)]);
});

test("finds a role without privileges", async () => {
  const role = `limited_${randomBytes(4).toString("hex")}`;
  await change(`CREATE ROLE ${role} LOGIN PASSWORD 'limited'`, `DROP OWNED BY ${role}; DROP ROLE ${role}`);
  const url = new URL(healthy["DATABASE_URL"] ?? "");
  [url.username, url.password] = [role, "limited"];
  await runStatement(healthy["DATABASE_URL"] ?? "", `GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${role}`);
  const found = await problems({ DATABASE_URL: url.href });
  expect(found[0]).toMatch(new RegExp(`^role: ${role} may not read and write \\d+ tables`));
});

test("finds a provider that does not respond", async () => {
  const registration = "WHERE provider = 'PROVIDER_A'";
  const api = simulator.providerUrls["provider-a"];
  const { rows } = await service.pool.query(`SELECT addresses FROM provider_registration ${registration}`);
  const before = JSON.stringify(rows[0].addresses);
  expect(before).toContain(api);
  const after = before.replaceAll(api, "http://127.0.0.1:9");
  const set = (addresses: string) => `UPDATE provider_registration SET addresses = '${addresses}' ${registration}`;
  await change(set(after), set(before));
  expect(await problems({})).toEqual([expect.stringMatching(/^provider PROVIDER_A: /)]);
});

test("finds a provider that refuses the client of a registration", async () => {
  const set = (since: string) =>
    `UPDATE provider_registration SET refused_since = ${since} WHERE provider = 'PROVIDER_A'`;
  await change(set("now()"), set("NULL"));
  expect(await problems({})).toEqual([expect.stringMatching(/^provider PROVIDER_A: .* refused .* since 20\d\d-/)]);
});

test("finds a redirect URL that is not registered at the provider", async () => {
  const elsewhere = { PUBLIC_URL: "http://127.0.0.1:10" };
  expect((await problems(elsewhere)).filter((problem) => problem.startsWith("provider"))).toEqual([
    "provider PROVIDER_A: authorization: The consent page refuses the client id, the scopes or the redirect URL (HTTP 400). Register http://127.0.0.1:10/api/connect/callback/provider-a in the provider's console.",
  ]);
});

test("finds a provider without a registration that a client may use", async () => {
  const { id } = await createApplication(service, "shop", { providers: ["PROVIDER_A", "PROVIDER_C"] });
  const allow = (data: { providers?: SocialProvider[]; enabled?: boolean }) =>
    service.prisma.application.update({ where: { id }, data });
  onTestFinished(async () => void (await allow({ enabled: false })));
  expect(await problems({})).toEqual([
    "provider PROVIDER_C: it has no registration, and the policy of a client allows it",
  ]);
  await allow({ providers: ["PROVIDER_A"] });
  expect(await problems({})).toEqual([]);
});

test("finds a registration that serves no client", async () => {
  const set = (all: boolean) => `UPDATE provider_registration SET all_applications = ${all}`;
  await change(set(false), set(true));
  expect(await problems({})).toEqual([
    expect.stringMatching(/^provider PROVIDER_A: the registration \S+ serves no client$/),
  ]);
});

test("finds a late sweep, and that no worker runs", async () => {
  const back = "UPDATE sweep_state SET succeeded_at = succeeded_at + interval '1 day'";
  await change(`${back.replace("+", "-")} WHERE name = 'expireContent'`, `${back} WHERE name = 'expireContent'`);
  expect(await problems({})).toEqual(["sweeps: late: expireContent"]);
  await change(back.replace("+", "-"), back);
  expect(await problems({})).toEqual([expect.stringMatching(/^sweeps: no worker has run/)]);
});

test("finds a key that expires soon", async () => {
  const member = await createAdminMember(service);
  const { id } = await createApiKey(service, member, "READ");
  await service.prisma.adminApiKey.update({
    where: { id },
    data: { expiresAt: service.clock.fromNow(HOUR) },
  });
  onTestFinished(async () => void (await service.prisma.adminApiKey.deleteMany()));
  expect(await problems({})).toEqual([expect.stringMatching(new RegExp(`^keys: .*${id}`))]);
});

test.each([
  [100, "failed"],
  [1_000, "warning"],
  [10_000, "ok"],
])("%i MB of free disk space are %s for an embedded database", async (megabytes, status) => {
  const settings = { databaseUrl: null, dataFolder: "/data" };
  expect(await checkDisk(settings, async () => megabytes * 1_048_576)).toMatchObject({ status });
});

describe("in live mode", () => {
  const live = { MODE: "live", PUBLIC_URL: "https://127.0.0.1:9" };
  const NO_ISSUER = { ISSUER_URL: undefined, ISSUER_CLIENT_ID: undefined, ISSUER_CLIENT_SECRET: undefined };

  /** What it finds about sign-in and the providers, with what to do. */
  async function setupProblems(changes: Record<string, string | undefined>): Promise<readonly string[]> {
    const findings = await examine({ ...healthy, ...live, ...changes });
    return findings
      .filter(({ check, status }) => /^(?:issuer|provider)/.test(check) && status !== "ok")
      .map(({ check, status, message, remedy }) => `${status} ${check}: ${message}. ${remedy}.`);
  }

  /** The issuer of `healthy` is on plain HTTP, which live mode refuses. */
  async function registrationProblems(): Promise<readonly string[]> {
    return (await setupProblems(NO_ISSUER)).filter((problem) => problem.includes("provider "));
  }

  test("an issuer is needed", async () => {
    expect(await setupProblems(NO_ISSUER)).toContain(
      "failed issuer: ISSUER_URL is not set, so no admin can sign in to the panel. Register a client at your OpenID provider, then set ISSUER_URL, ISSUER_CLIENT_ID and ISSUER_CLIENT_SECRET.",
    );
  });

  test.each(SOCIAL_PROVIDERS)("a registration of %s must be published", async (provider) => {
    const was = await service.prisma.providerRegistration.findFirstOrThrow();
    const { id } = was;
    onTestFinished(
      async () =>
        void (await service.prisma.providerRegistration.update({
          where: { id },
          data: { provider: was.provider, status: "PUBLISHED", allApplications: true },
        })),
    );
    const set = (status: "DRAFT" | "PAUSED" | "DISABLED") =>
      service.prisma.providerRegistration.update({ where: { id }, data: { provider, status } });
    await set("DRAFT");
    expect(await registrationProblems()).toEqual([
      `failed provider ${provider}: the registration ${id} is a draft, so no account can be linked. Check and publish it in the panel, under Registrations.`,
    ]);
    await set("PAUSED");
    expect(await registrationProblems()).toEqual([
      `failed provider ${provider}: the registration ${id} is paused, so no account can be linked. Resume it in the panel, under Registrations.`,
    ]);
    await set("DISABLED");
    expect(await setupProblems(NO_ISSUER)).toContain(
      "failed providers: no client is registered, so no account can be linked. Register a client at a provider, then enter and publish it in the panel, under Registrations.",
    );
  });
});
