import { localEncryptionKeys } from "../../../../apps/server/src/config/localEncryptionKey.ts";
import { type DevAddresses, planAddresses } from "../../../../apps/server/src/dev/addresses.ts";
import { type PlanInput, planOthers, planSimulator } from "../../../../apps/server/src/dev/childPlans.ts";
import { type DevSecrets, readDevSecrets } from "../../../../apps/server/src/dev/devSecrets.ts";
import { type Ports, planPorts } from "../../../../apps/server/src/dev/ports.ts";
import { SIMULATOR_OPTIONS } from "../../../../apps/server/src/dev/processes/simulatorOptions.ts";
import { seed } from "../../../../apps/server/src/dev/seed.ts";
import { DEMO_APPLICATION, OTHER_APPLICATION, PROVIDER_CLIENT_ID } from "../../../../apps/server/src/dev/seedData.ts";
import { SystemClock } from "../../../../apps/server/src/platform/clock.ts";
import { type Database, openDatabase } from "../../../../apps/server/src/platform/database.ts";
import { applyMigrations } from "../../../../apps/server/src/platform/migrations.ts";
import { createSecretBox, type SecretBox } from "../../../../apps/server/src/platform/secretBox.ts";
import type { Shutdown } from "../../../../apps/server/src/platform/shutdown.ts";
import { startTemporaryDatabase } from "../../../../apps/server/src/platform/testing/temporaryDatabase.ts";
import { prepareTaskQueues } from "../../../../apps/server/src/worker/boss.ts";
import { type SimulatorOptions, startSimulator } from "../../../../apps/simulator/src/index.ts";
import type { SocialProvider } from "../../../contract/src/index.ts";
import { applicationKeyText, providerSlug } from "../../../domain/src/index.ts";
import { reservePorts } from "../ports.ts";
import { control, type SimulatedAccount } from "../simulatorControl.ts";

/** The service's client at the simulated providers. */
export { PROVIDER_CLIENT_ID };

export interface DeploymentOptions {
  readonly dataFolder: string;
  /** What it adds is stopped at the end. */
  readonly shutdown: Shutdown;
  /** Starts the database; a temporary PostgreSQL by default. */
  readonly startDatabase?: (ports: Ports) => Promise<string>;
  /** Creates the tables; by default from this process. */
  readonly migrate?: (environment: Readonly<Record<string, string>>) => Promise<unknown>;
  /** Settings of the service that replace those of a development environment. */
  readonly serviceEnvironment?: Readonly<Record<string, string>>;
  readonly hasMovableClock?: boolean;
}

/** What a backend and the pages of an application use. */
export interface ApplicationAccess {
  readonly key: string;
  readonly origin: string;
  readonly returnUrl: string;
  readonly identityReturnUrl: string;
  readonly tenantKeys: readonly [string, ...string[]];
}

export type Deployment = Awaited<ReturnType<typeof prepareDeployment>>;

/** No budget of a provider is used up. */
const NO_LIMIT = 10_000_000;

/**
 * What processes of the service need, on loopback: PostgreSQL with tables and the data of a development environment, the
 * simulator without limits, and their environment. Starts none of them.
 */
export async function prepareDeployment({
  dataFolder,
  shutdown,
  startDatabase = () => startOwnDatabase(shutdown),
  migrate,
  serviceEnvironment = {},
  hasMovableClock = false,
}: DeploymentOptions) {
  const ports = planPorts(await reservePorts(Object.keys(planPorts(1)).length));
  const [addresses, secrets] = [planAddresses(ports), await readDevSecrets(dataFolder)];
  const places = { ports, addresses, secrets, dataFolder, panelFolder: null };
  const plan: PlanInput = { ...places, hasMovableClock, serviceEnvironment, isVerbose: true };
  await startUnlimitedSimulator(plan, shutdown);
  const url = await startDatabase(ports);
  const keys = await localEncryptionKeys(dataFolder);
  const environment = planOthers(plan, url, keys.text)[0]?.environment ?? {};
  await (migrate?.(environment) ?? applyMigrations(url));
  const database = openDatabase({
    url,
    poolSize: 6,
    applicationName: "test of a deployment",
    statementTimeoutMs: 60_000,
  });
  shutdown.add(() => database.close());
  const secretBox = createSecretBox(keys.keys);
  await fill(database, { addresses, secrets, secretBox });
  const applications = applicationsOf(addresses, secrets);
  return { addresses, applications, database, environment, ports, secretBox, secrets, url };
}

async function startOwnDatabase(shutdown: Shutdown): Promise<string> {
  const postgres = await startTemporaryDatabase();
  shutdown.add(() => postgres.stop());
  return postgres.url("postgres");
}

/** In this process, so that it outlives those of the service. */
async function startUnlimitedSimulator(plan: PlanInput, shutdown: Shutdown): Promise<void> {
  const planned = JSON.parse(planSimulator(plan).environment[SIMULATOR_OPTIONS] ?? "{}") as SimulatorOptions;
  const { stateFile: _, ...options } = planned;
  const limits = { unitsPerDay: NO_LIMIT, callsPerMinute: NO_LIMIT, callsPerHour: NO_LIMIT };
  const simulator = await startSimulator({ ...options, limits });
  shutdown.add(() => simulator.close());
}

async function fill(
  database: Database,
  data: { readonly addresses: DevAddresses; readonly secrets: DevSecrets; readonly secretBox: SecretBox },
): Promise<void> {
  await prepareTaskQueues(database.pool);
  await seed(database, { ...data, now: await new SystemClock(database.pool).now() });
  await database.pool.query("UPDATE provider_registration SET quota = $1", [{ units: NO_LIMIT }]);
}

export function applicationsOf(
  addresses: DevAddresses,
  secrets: DevSecrets,
): Readonly<Record<"demo" | "other", ApplicationAccess>> {
  const access = (
    data: typeof DEMO_APPLICATION | typeof OTHER_APPLICATION,
    origin: string,
    key: DevSecrets["applicationKey"],
  ): ApplicationAccess => ({
    key: applicationKeyText(key),
    origin,
    returnUrl: origin + data.returnPath,
    identityReturnUrl: origin + data.identityReturnPath,
    tenantKeys: data.tenantKeys,
  });
  return {
    demo: access(DEMO_APPLICATION, addresses.example, secrets.applicationKey),
    other: access(OTHER_APPLICATION, addresses.otherApplication, secrets.otherApplicationKey),
  };
}

/** An account to open at the simulator. */
export interface NewAccount {
  readonly provider: SocialProvider;
  readonly name: string;
  /** Accounts of one person share it. */
  readonly person?: string;
  /** The script that it follows; without one it behaves well. */
  readonly script?: string;
}

/** Opens an account at the simulator, and adds it to the testers of every application. Returns its id. */
export async function openAccount(
  { addresses, database }: { readonly addresses: DevAddresses; readonly database: Pick<Database, "pool"> },
  { provider, ...account }: NewAccount,
): Promise<string> {
  const body = { provider: providerSlug(provider), ...account };
  const { accountId } = await control<SimulatedAccount>(addresses.simulator, "POST", "/accounts", body);
  await database.pool.query(
    `INSERT INTO tester (application_id, provider, provider_account_id)
     SELECT id, $1::social_provider, $2 FROM application ON CONFLICT DO NOTHING`,
    [provider, accountId],
  );
  return accountId;
}
