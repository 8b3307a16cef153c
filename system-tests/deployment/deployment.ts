import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { promisify } from "node:util";
import { type ProviderKey, simulatorRegistration, startSimulator } from "@social-connect/simulator";
import pg from "pg";
import { openOperator } from "../../packages/conformance/src/target/adminOperator.ts";
import { openAdmin } from "../../packages/conformance/src/target/adminOverHttp.ts";
import { runInPanel } from "../../packages/conformance/src/target/adminScript.ts";
import { openIssuer, openSimulator } from "../../packages/conformance/src/target/simulator.ts";
import { CAPABILITIES, SOCIAL_PROVIDERS } from "../../packages/contract/src/index.ts";
import { bySlug, providerSlug } from "../../packages/domain/src/index.ts";
import { planProcess, type ServiceProcess } from "../../packages/testkit/src/harness/serviceProcess.ts";
import { type Command, type Environment, SERVICE_COMMAND } from "../../packages/testkit/src/harness/startedProgram.ts";
import { startTemporaryDatabase } from "../../packages/testkit/src/harness/temporaryDatabase.ts";
import { INHERITED_ENVIRONMENT } from "../../packages/testkit/src/inheritedEnvironment.ts";
import { reservePort } from "../../packages/testkit/src/ports.ts";
import { openClock } from "./clock.ts";
import { startHttpProxy } from "./httpProxy.ts";
import { startTcpProxy } from "./tcpProxy.ts";

export interface DeploymentOptions {
  /** The processes of the service. */
  readonly roles?: readonly ServiceProcess["role"][];
  /** The command `social-connect`; from the source by default. */
  readonly command?: Command;
  /** Settings of every process, over those of a sandbox on this machine. */
  readonly settings?: Environment;
  /** The limits of simulated providers and the default quotas, which are otherwise never reached. */
  readonly hasLimits?: boolean;
  /** A database of the caller's, with an administrator; by default an own one that ends with the deployment. */
  readonly databaseUrl?: string;
  /** What the proxy sends to the apis in turn: requests, or connections with all that comes on them. */
  readonly balances?: "requests" | "connections";
  /** The folder for the log of each process, which is kept in memory by default. */
  readonly logFolder?: string;
}

export type Deployment = Awaited<ReturnType<typeof startDeployment>>;

/** The admin, by their name at the simulated issuer. */
const ADMIN = "admin";
/** A process on a busy machine ends well within it. */
export const SHUTDOWN_SECONDS = 12;
/** No budget of a provider is used up. */
const NO_LIMIT = 10_000_000;

/**
 * The service as its pages start it, on loopback: PostgreSQL with its tables, the simulated providers and issuer, an admin, and
 * processes that get all of it by settings, with a proxy in front of several apis. Then the admin publishes a registration of each
 * provider.
 */
export async function startDeployment({
  roles = ["api", "worker"],
  command = SERVICE_COMMAND,
  settings = {},
  hasLimits = false,
  databaseUrl: givenUrl,
  balances = "requests",
  logFolder,
}: DeploymentOptions = {}) {
  await using starting = new AsyncDisposableStack();
  const port = await reservePort();
  const url = `http://127.0.0.1:${port}`;
  const client = { clientId: "deployment", clientSecret: randomBytes(24).toString("hex"), name: "Deployment" };
  const simulator = await startSimulator({
    port: 0,
    issuerPort: 0,
    limits: hasLimits ? {} : { unitsPerDay: NO_LIMIT, callsPerMinute: NO_LIMIT, callsPerHour: NO_LIMIT },
    clients: simulatorClients(url, client),
    issuerClients: [{ ...client, redirectUris: [`${url}/api/identity/callback`, `${url}/panel/callback`] }],
  });
  starting.defer(() => simulator.close());
  const databaseUrl = givenUrl ?? starting.use(await startTemporaryDatabase()).url("postgres");
  const environment: Environment = {
    ...INHERITED_ENVIRONMENT,
    PUBLIC_URL: url,
    DATABASE_URL: databaseUrl,
    MIGRATE: "off",
    ENCRYPTION_KEYS: `test:${randomBytes(32).toString("base64")}`,
    ISSUER_URL: simulator.issuerUrl,
    ISSUER_CLIENT_ID: client.clientId,
    ISSUER_CLIENT_SECRET: client.clientSecret,
    LOG_LEVEL: "warn",
    DRAIN_SECONDS: "0",
    SHUTDOWN_TIMEOUT_SECONDS: `${SHUTDOWN_SECONDS}`,
    ...settings,
  };
  /** Runs `social-connect` with parameters. */
  const run = async (...parameters: readonly string[]): Promise<string> => {
    const [program, ...first] = command;
    return (await promisify(execFile)(program, [...first, ...parameters], { env: environment, maxBuffer: Infinity }))
      .stdout;
  };
  await run("migrate");
  await run("admin", "add", `${ADMIN}@example.test`);
  const isBalanced = roles.filter((role) => role === "api").length > 1;
  const processes = await Promise.all(
    roles.map((role, index) => {
      const own = role === "api" && !isBalanced ? { port } : {};
      const name = `${role}-${roles.slice(0, index + 1).filter((other) => other === role).length}`;
      const log = logFolder === undefined ? {} : { log: join(logFolder, `${name}.log`) };
      return planProcess({ name, role, command, environment, ...log, ...own });
    }),
  );
  starting.defer(async () => void (await Promise.all(processes.map((process) => process.stop()))));
  await Promise.all(processes.map((process) => process.start()));
  const apis = processes.filter(({ role }) => role === "api");
  const isTrusted = environment["TRUSTED_PROXIES"] !== undefined;
  const startProxy = () =>
    balances === "requests" ? startHttpProxy(port, apis, { isTrusted }) : startTcpProxy(port, apis);
  if (isBalanced) starting.use(await startProxy());
  const database = new pg.Pool({ connectionString: databaseUrl, max: 4 });
  // A session that the database ends is replaced by the next query.
  database.on("error", () => undefined);
  starting.defer(() => database.end());
  const clock = openClock(database, simulator.simulatorUrl);
  const identity = openIssuer(simulator.issuerUrl, simulator.simulatorUrl);
  const { now } = clock;
  // Without keys of its own, the admin issues new ones in the panel.
  const { driver: admin } = await openAdmin({
    adminHost: url,
    identity,
    person: ADMIN,
    readKey: "",
    writeKey: "",
    now,
  });
  for (const provider of SOCIAL_PROVIDERS) {
    const slug = providerSlug(provider) as ProviderKey;
    const own = { ...client, redirectUris: [] };
    const { scopes, ...registration } = simulatorRegistration(simulator.providerUrls, slug, own);
    const input = {
      ...registration,
      capabilities: CAPABILITIES,
      scopes: CAPABILITIES.map((capability) => ({ capability, scopes: scopes[capability] })),
    };
    const { id } = await runInPanel(admin.panel, "createRegistration", { provider, input });
    if (!hasLimits) await runInPanel(admin.panel, "setRegistrationQuota", { id, quota: { units: NO_LIMIT } });
    await runInPanel(admin.panel, "publishRegistration", { id });
  }
  const [api] = apis;
  if (api === undefined) throw new Error("A deployment needs an api.");
  const running = starting.move();
  return {
    url,
    databaseUrl,
    /** An administrator of the database. */
    database,
    clock,
    environment,
    processes,
    /** The first api. */
    api,
    admin,
    identity,
    operator: openOperator({ admin, baseUrl: url }),
    provider: openSimulator(simulator.simulatorUrl),
    simulatorUrl: simulator.simulatorUrl,
    providerUrls: simulator.providerUrls,
    issuerUrl: simulator.issuerUrl,
    /** The service's client at providers and issuer. */
    client,
    run,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** The service's client at each provider, with the addresses that its pages say to register there. */
function simulatorClients(url: string, client: { clientId: string; clientSecret: string; name: string }) {
  const at = `${url}/api/connect`;
  return bySlug((slug) => [
    {
      ...client,
      redirectUris: [`${at}/callback/${slug}`],
      deauthorizationUrl: `${at}/deauthorize/${slug}`,
      dataDeletionUrl: `${at}/${slug}/data-deletion`,
      webhookUrl: `${at}/${slug}/webhook`,
    },
  ]);
}
