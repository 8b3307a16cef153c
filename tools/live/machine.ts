import { createHash, X509Certificate } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import type { Shutdown } from "../../apps/server/src/platform/shutdown.ts";
import { type ProviderKey, type SimulatorClient, startSimulator } from "../../apps/simulator/src/index.ts";
import { bySlug } from "../../packages/domain/src/index.ts";
import { runStatement } from "../../packages/testkit/src/database.ts";
import { run } from "../packages/commands.ts";
import { programFolders, startPostgres } from "../postgres.ts";
import { DEPLOY, freePort, PROXIES, replaced, startProxy } from "../proxies/proxies.ts";

const CADDY = PROXIES.find(({ debianPackage }) => debianPackage === "caddy");
/** As the page writes it. */
const ADMINISTRATOR_PASSWORD = "secret";
const PROVIDER_CLIENT = { clientId: "live-client", clientSecret: "live-client-secret" };
const NO_LIMIT = 10_000_000;

/** What a deployment needs of its machine: PostgreSQL, the proxy with TLS, and names that both know. */
export type Machine = Awaited<ReturnType<typeof prepareMachine>>;

/** Programs that this check needs and that are not installed. */
export function missingPrograms(): readonly string[] {
  return [...(CADDY?.isInstalled ? [] : ["caddy"]), ...(postgresPrograms() === undefined ? ["postgresql"] : [])];
}

function postgresPrograms(): string | undefined {
  return programFolders().find((bin) => ["postgres", "initdb", "pg_dump"].every((name) => existsSync(join(bin, name))));
}

/** Starts PostgreSQL, the simulator and the proxy, each https address at a port of localhost. */
export async function prepareMachine(
  folder: string,
  shutdown: Shutdown,
  /** What the page of a provider says to register there. */
  providerAddresses: (provider: ProviderKey, publicUrl: string) => Pick<SimulatorClient, "redirectUris">,
) {
  const certificates = await createCertificates(folder);
  // This process is the application's backend, which trusts the authority too.
  setDefaultCACertificates([...getCACertificates(), await readFile(certificates.authority, "utf8")]);
  const programs = postgresPrograms() ?? "";
  const postgres = await startPostgres(programs);
  shutdown.add(() => postgres.stop());
  await runStatement(postgres.url("postgres"), "CREATE DATABASE service");
  await requirePasswords(postgres);

  const apis = [await freePort(), await freePort()] as const;
  const upstreams = { issuer: await freePort(), application: await freePort() };
  const urls = {
    service: await localUrl(),
    issuer: await localUrl(),
    application: await localUrl(),
    simulator: await localUrl(),
    providers: { "provider-a": await localUrl(), "provider-b": await localUrl(), "provider-c": await localUrl() },
  };
  const ports = {
    simulator: await freePort(),
    ...{ "provider-a": await freePort(), "provider-b": await freePort(), "provider-c": await freePort() },
  };
  const simulator = await startSimulator({
    port: ports.simulator,
    issuerPort: 0,
    providerPorts: ports,
    publicUrls: { simulator: urls.simulator, issuer: urls.simulator, providers: urls.providers },
    clients: bySlug((provider) => [{ ...PROVIDER_CLIENT, name: "Shop", ...providerAddresses(provider, urls.service) }]),
    issuerClients: [],
    limits: { unitsPerDay: NO_LIMIT, callsPerMinute: NO_LIMIT, callsPerHour: NO_LIMIT },
  });
  shutdown.add(() => simulator.close());

  const { service, issuer, application } = urls;
  const at = (url: string, upstream: number) => `${url} {\n\timport tls\n\treverse_proxy 127.0.0.1:${upstream}\n}\n`;
  const site = (name: string) => `https://${name}.localhost:{$SOCIAL_CONNECT_PORT:8443}`;
  const caddyfile = replaced(await readFile(join(DEPLOY, "compose", "Caddyfile"), "utf8"), [
    ["api-1:4400 api-2:4400", apis.map((port) => `127.0.0.1:${port}`).join(" ")],
    ["/run/sandbox/tls.crt", certificates.certificate],
    ["/run/sandbox/tls.key", certificates.key],
    [site("simulator"), urls.simulator],
    ["simulator:4401", `127.0.0.1:${ports.simulator}`],
    ...(["provider-a", "provider-b", "provider-c"] as const).flatMap((key, index) => [
      [site(key), urls.providers[key]] as const,
      [`simulator:${4406 + index}`, `127.0.0.1:${ports[key]}`] as const,
    ]),
  ]);
  const file = join(folder, "Caddyfile");
  await writeFile(file, [caddyfile, at(issuer, upstreams.issuer), at(application, upstreams.application)].join("\n"));
  const port = Number(new URL(service).port);
  const environment = { XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, SOCIAL_CONNECT_PORT: String(port) };
  const proxy = await startProxy("caddy", ["run", "--config", file, "--adapter", "caddyfile"], environment, {
    port,
    host: "localhost",
  });
  shutdown.add(() => proxy.stop());
  return { folder, programs, postgres, certificates, apis, upstreams, urls, simulator, client: PROVIDER_CLIENT };
}

/** From now on, only with the administrator's password. */
async function requirePasswords({ folder, url }: Awaited<ReturnType<typeof startPostgres>>): Promise<void> {
  await runStatement(url("postgres"), `ALTER USER postgres PASSWORD '${ADMINISTRATOR_PASSWORD}'`);
  await writeFile(join(folder, "pg_hba.conf"), "host all all 127.0.0.1/32 scram-sha-256\n");
  await runStatement(url("postgres"), "SELECT pg_reload_conf()");
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
