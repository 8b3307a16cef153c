import { fail } from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import {
  PROVIDER_KEYS,
  type ProviderKey,
  type SimulatorClient,
  startSimulator,
} from "../../apps/simulator/src/index.ts";
import { bySlug } from "../../packages/domain/src/index.ts";
import { createAuthority, fingerprintOf, readCertificate } from "../deployment/certificates.ts";
import { startHttpProxy } from "../deployment/httpProxy.ts";
import { freePort, PROXIES, type Sites } from "../proxies/proxies.ts";
import { startDatabase } from "./database.ts";

const PROVIDER_CLIENT = { clientId: "live-client", clientSecret: "live-client-secret" };
const NO_LIMIT = 10_000_000;
/** More than the processes and addresses of a deployment. */
const PORTS = 30;

/** What a deployment needs of its machine: PostgreSQL, the proxy with TLS, and names that both know. */
export type Machine = Awaited<ReturnType<typeof prepareMachine>>;

/** Starts PostgreSQL, the simulator and the proxy, each https address at a port of localhost. */
export async function prepareMachine(
  folder: string,
  shutdown: AsyncDisposableStack,
  /** What the page of a provider says to register there. */
  providerAddresses: (provider: ProviderKey, publicUrl: string) => Pick<SimulatorClient, "redirectUris">,
  /** The proxy; `bundled` with the embedded PostgreSQL. `databaseFolder`: for the files of an installed one. */
  { proxy, databaseFolder }: { readonly proxy: ProxyName; readonly databaseFolder?: string },
) {
  const authority = await createAuthority(folder);
  const tls = await authority.certify("localhost", "DNS:localhost");
  const certificates = { ...tls, authority: authority.certificate, fingerprint: await fingerprintOf(tls.certificate) };
  // This process is the application's backend, which trusts the authority too.
  setDefaultCACertificates([...getCACertificates(), await readFile(certificates.authority, "utf8")]);
  const parent = databaseFolder === undefined ? {} : { parent: databaseFolder };
  const database = await startDatabase(authority, shutdown, { isBundled: proxy === "bundled", ...parent });

  const free = await Promise.all(Array.from({ length: PORTS }, freePort));
  const port = () => free.pop() ?? fail("no port is left");
  const url = () => `https://localhost:${port()}`;
  const apis = [port(), port()] as const;
  const metrics = [port(), port(), port()] as const;
  const upstreams = { issuer: port(), application: port() };
  const urls = { service: url(), issuer: url(), application: url(), simulator: url(), providers: bySlug(url) };
  const simulatorPorts = { simulator: port(), ...bySlug(port) };
  const simulator = await startSimulator({
    port: simulatorPorts.simulator,
    issuerPort: 0,
    providerPorts: simulatorPorts,
    publicUrls: { simulator: urls.simulator, issuer: urls.simulator, providers: urls.providers },
    clients: bySlug((provider) => [{ ...PROVIDER_CLIENT, name: "Shop", ...providerAddresses(provider, urls.service) }]),
    issuerClients: [],
    limits: { unitsPerDay: NO_LIMIT, callsPerMinute: NO_LIMIT, callsPerHour: NO_LIMIT },
  });
  shutdown.defer(() => simulator.close());

  const others = [
    [urls.issuer, upstreams.issuer],
    [urls.application, upstreams.application],
    [urls.simulator, simulatorPorts.simulator],
    ...PROVIDER_KEYS.map((provider) => [urls.providers[provider], simulatorPorts[provider]] as const),
  ] as const;
  const site = { folder, apis, port: Number(new URL(urls.service).port), host: "localhost", certificates, others };
  await serveSites(site, shutdown, proxy);
  return { folder, certificates, urls, apis, upstreams, metrics, database, simulator, client: PROVIDER_CLIENT };
}

/** Those of `deploy/`, and one of this program for machines without them. */
export type ProxyName = "nginx" | "caddy" | "bundled";

const kindOf = (proxy: ProxyName) => PROXIES.find(({ debianPackage }) => debianPackage === proxy);

export const isInstalled = (proxy: ProxyName) => proxy === "bundled" || kindOf(proxy)?.isInstalled === true;

/** Starts the proxy of all addresses. */
async function serveSites(sites: Sites, shutdown: AsyncDisposableStack, proxy: ProxyName): Promise<void> {
  const kind = kindOf(proxy);
  if (kind !== undefined) return void shutdown.use(await kind.start(sites));
  const { certificates, apis, port, others = [] } = sites;
  const tls = await readCertificate(certificates);
  // A process that stops fails the probe first, and serves for some seconds more.
  const isReady = async (api: number) => (await fetch(`http://127.0.0.1:${api}/readyz`)).ok;
  const service = apis.map((api) => ({ port: api, isReady: () => isReady(api).catch(() => false) }));
  const other = (upstream: number) => ({ port: upstream, isReady: async () => true });
  shutdown.use(await startHttpProxy(port, service, { tls, isTrusted: true }));
  for (const [url, upstream] of others)
    shutdown.use(await startHttpProxy(Number(new URL(url).port), [other(upstream)], { tls, isTrusted: true }));
}
