import { createHash, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import type { Shutdown } from "../../apps/server/src/platform/shutdown.ts";
import {
  PROVIDER_KEYS,
  type ProviderKey,
  type SimulatorClient,
  startSimulator,
} from "../../apps/simulator/src/index.ts";
import { bySlug } from "../../packages/domain/src/index.ts";
import { run } from "../packages/commands.ts";
import { freePort } from "../proxies/proxies.ts";
import { startDatabase } from "./database.ts";
import { serveSites } from "./proxy.ts";

const PROVIDER_CLIENT = { clientId: "live-client", clientSecret: "live-client-secret" };
const NO_LIMIT = 10_000_000;

/** What a deployment needs of its machine: PostgreSQL, the proxy with TLS, and names that both know. */
export type Machine = Awaited<ReturnType<typeof prepareMachine>>;

/** Starts PostgreSQL, the simulator and the proxy, each https address at a port of localhost. */
export async function prepareMachine(
  folder: string,
  shutdown: Shutdown,
  /** What the page of a provider says to register there. */
  providerAddresses: (provider: ProviderKey, publicUrl: string) => Pick<SimulatorClient, "redirectUris">,
  /** Whether to use the embedded PostgreSQL and the proxy of the testkit, although others are installed. */
  options: { readonly isBundled: boolean },
) {
  const certificates = await createCertificates(folder);
  // This process is the application's backend, which trusts the authority too.
  setDefaultCACertificates([...getCACertificates(), await readFile(certificates.authority, "utf8")]);
  const database = await startDatabase(shutdown, options);

  const apis = [await freePort(), await freePort()] as const;
  const upstreams = { issuer: await freePort(), application: await freePort() };
  const urls = {
    service: await localUrl(),
    issuer: await localUrl(),
    application: await localUrl(),
    simulator: await localUrl(),
    providers: await ofProviders(localUrl),
  };
  const simulatorPorts = {
    simulator: await freePort(),
    ...(await ofProviders(freePort)),
  };
  const simulator = await startSimulator({
    port: simulatorPorts.simulator,
    issuerPort: 0,
    providerPorts: simulatorPorts,
    publicUrls: { simulator: urls.simulator, issuer: urls.simulator, providers: urls.providers },
    clients: bySlug((provider) => [{ ...PROVIDER_CLIENT, name: "Shop", ...providerAddresses(provider, urls.service) }]),
    issuerClients: [],
    limits: { unitsPerDay: NO_LIMIT, callsPerMinute: NO_LIMIT, callsPerHour: NO_LIMIT },
  });
  shutdown.add(() => simulator.close());

  const sites = { folder, certificates, urls, apis, upstreams, simulatorPorts };
  const proxy = await serveSites(sites, shutdown, options);
  return { ...sites, database, proxy, simulator, client: PROVIDER_CLIENT };
}

async function ofProviders<Value>(create: () => Promise<Value>): Promise<Record<ProviderKey, Value>> {
  const values = new Map<ProviderKey, Value>();
  for (const provider of PROVIDER_KEYS) values.set(provider, await create());
  return Object.fromEntries(values) as Record<ProviderKey, Value>;
}

async function localUrl(): Promise<string> {
  return `https://localhost:${await freePort()}`;
}

/** An authority of this machine, and a certificate for localhost. */
async function createCertificates(folder: string) {
  const [authority, authorityKey] = [join(folder, "authority.crt"), join(folder, "authority.key")];
  const [certificate, key] = [join(folder, "tls.crt"), join(folder, "tls.key")];
  const openssl = (...parameters: string[]) =>
    run("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "90", ...parameters], { folder });
  const purpose = ["basicConstraints=critical,CA:TRUE", "keyUsage=critical,keyCertSign,cRLSign"];
  const ofAuthority = purpose.flatMap((extension) => ["-addext", extension]);
  await openssl("-subj", "/CN=Authority", "-keyout", authorityKey, "-out", authority, ...ofAuthority);
  const names = ["subjectAltName=DNS:localhost", "basicConstraints=CA:FALSE", "extendedKeyUsage=serverAuth"];
  const ofServer = names.flatMap((extension) => ["-addext", extension]);
  const signer = ["-CA", authority, "-CAkey", authorityKey];
  await openssl("-subj", "/CN=localhost", "-keyout", key, "-out", certificate, ...signer, ...ofServer);
  const { publicKey } = new X509Certificate(await readFile(certificate));
  const encoded = publicKey.export({ type: "spki", format: "der" });
  return { authority, certificate, key, fingerprint: createHash("sha256").update(encoded).digest("base64") };
}
