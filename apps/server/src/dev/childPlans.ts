import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { applicationKeyText, bySlug } from "@social-connect/domain";
import type { SimulatorOptions } from "@social-connect/simulator";
import type { DevAddresses } from "./addresses.ts";
import type { DevSecrets } from "./devSecrets.ts";
import type { Ports } from "./ports.ts";
import type { ChildPlan } from "./processes/processSupervisor.ts";
import { SIMULATOR_OPTIONS } from "./processes/simulatorOptions.ts";
import { DEMO_APPLICATION, ISSUER_CLIENT_ID, PROVIDER_CLIENT_ID, SIGN_IN_CLIENT } from "./seedData.ts";

/** What a developer chooses of the processes. */
export interface PlanOptions {
  readonly dataFolder: string;
  readonly hasMovableClock: boolean;
  /** The name of the first client; absent: the stored one, the example's in new data. */
  readonly applicationName?: string;
  /** Redirect URLs of the integrator's own sign-in at the issuer. */
  readonly signInUrls?: readonly string[];
  /** Position of retries and background reads in the range over which they are spread, from 0 to below 1; absent: random. */
  readonly jitter?: number;
  readonly isVerbose: boolean;
  /** Settings of the service that replace those of a development environment, e.g. for a test of a deployment. */
  readonly serviceEnvironment?: Readonly<Record<string, string>>;
}

export interface PlanInput extends PlanOptions {
  readonly ports: Ports;
  readonly addresses: DevAddresses;
  readonly secrets: DevSecrets;
  /** The folder of the admin panel's build; null: the server's default. */
  readonly panelFolder: string | null;
}

/** What a child inherits from the environment: enough to run, nothing that could be a setting. */
const PASSED_ON = [
  "PATH",
  "HOME",
  "LANG",
  "TZ",
  "TMPDIR",
  "SystemRoot",
  "NODE_EXTRA_CA_CERTS",
  "NODE_OPTIONS",
  "NODE_COMPILE_CACHE",
];

function basicEnvironment(): Record<string, string> {
  return Object.fromEntries(
    PASSED_ON.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  ) as Record<string, string>;
}

/** The simulator needs no database, so it starts in parallel. */
export function planSimulator(input: PlanInput): ChildPlan {
  const options = JSON.stringify(simulatorOptions(input));
  return { role: "simulator", environment: { ...basicEnvironment(), [SIMULATOR_OPTIONS]: options } };
}

/** The simulator with the clients of a development environment. */
export function simulatorOptions({
  ports,
  addresses,
  secrets,
  dataFolder,
  applicationName = DEMO_APPLICATION.displayName,
  signInUrls = [],
}: Pick<
  PlanInput,
  "ports" | "addresses" | "secrets" | "dataFolder" | "applicationName" | "signInUrls"
>): SimulatorOptions {
  const redirectUri = (provider: string) => `${addresses.server}/api/connect/callback/${provider}`;
  const client = (provider: string) => ({
    clientId: PROVIDER_CLIENT_ID,
    clientSecret: secrets.providerClientSecret,
    name: applicationName,
    redirectUris: [redirectUri(provider)],
    // Providers without such a message ignore its URL.
    deauthorizationUrl: `${addresses.server}/api/connect/deauthorize/${provider}`,
    dataDeletionUrl: `${addresses.server}/api/connect/${provider}/data-deletion`,
    webhookUrl: `${addresses.server}/api/connect/${provider}/webhook`,
  });
  return {
    port: ports.simulator,
    issuerPort: ports.issuer,
    providerPorts: bySlug((provider) => ports[provider]),
    clients: bySlug((provider) => [client(provider)]),
    issuerClients: [
      {
        clientId: ISSUER_CLIENT_ID,
        clientSecret: secrets.issuerClientSecret,
        // The deployment is the client of its issuer, for the panel and for every application.
        name: "Social Connect",
        redirectUris: [`${addresses.server}/api/identity/callback`, `${addresses.server}/panel/callback`],
      },
      ...(signInUrls.length > 0 ? [{ ...SIGN_IN_CLIENT, name: applicationName, redirectUris: signInUrls }] : []),
    ],
    stateFile: join(dataFolder, "simulator.json"),
  };
}

/** The service in two processes, as in production, and the example application. */
export function planOthers(input: PlanInput, databaseUrl: string, encryptionKeys: string): ChildPlan[] {
  const { ports, addresses, secrets } = input;
  const level = process.env.LOG_LEVEL ?? (input.isVerbose ? "info" : null);
  const service: Record<string, string> = {
    ...basicEnvironment(),
    MODE: "sandbox",
    PORT: String(ports.server),
    PUBLIC_URL: addresses.server,
    DATABASE_URL: databaseUrl,
    DATA_DIR: input.dataFolder,
    PANEL_DIR: input.panelFolder ?? "",
    ENCRYPTION_KEYS: encryptionKeys,
    ISSUER_URL: addresses.issuer,
    ISSUER_CLIENT_ID,
    ISSUER_CLIENT_SECRET: secrets.issuerClientSecret,
    PREVIEW_ORIGIN_TEMPLATE: `http://{label}.preview.localhost:${ports.example}`,
    CLOCK: input.hasMovableClock ? "movable" : "system",
    ...(input.jitter !== undefined && { JITTER: String(input.jitter) }),
    LOG_LEVEL: level ?? "warn",
    DRAIN_SECONDS: "0",
    SHUTDOWN_TIMEOUT_SECONDS: "6",
    ...input.serviceEnvironment,
  };
  const example: Record<string, string> = {
    ...basicEnvironment(),
    PORT: String(ports.example),
    SOCIAL_CONNECT_URL: addresses.server,
    SOCIAL_CONNECT_KEY: applicationKeyText(secrets.applicationKey),
    SOCIAL_CONNECT_TENANT: DEMO_APPLICATION.tenantKeys[0],
    RETURN_URL: addresses.example + DEMO_APPLICATION.returnPath,
    IMAGE_ORIGIN: addresses.simulator,
    SESSION_SECRET: randomBytes(32).toString("hex"),
  };
  return [
    // The debug lines of the API name refused calls, of which the terminal shows one line each.
    { role: "api", environment: { ...service, ...(level === null && { LOG_LEVEL: "debug" }) } },
    // The terminal shows one line for each event, and nothing else below a warning.
    { role: "worker", environment: { ...service, ...(level === null && { LOG_LEVEL: "info" }) } },
    { role: "example", environment: example },
  ];
}
