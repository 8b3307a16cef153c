import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Shutdown } from "../../apps/server/src/platform/shutdown.ts";
import { serveHttps } from "../../packages/testkit/src/harness/httpsProxy.ts";
import { balanceLoad } from "../../packages/testkit/src/harness/loadBalancer.ts";
import { DEPLOY, PROXIES, replaced, startProxy } from "../proxies/proxies.ts";

const CADDY = PROXIES.find(({ debianPackage }) => debianPackage === "caddy");
const PROVIDERS = ["provider-a", "provider-b", "provider-c"] as const;
type Provider = (typeof PROVIDERS)[number];

/** The https addresses, and the ports behind them. */
export interface Sites {
  readonly folder: string;
  readonly certificates: { readonly certificate: string; readonly key: string };
  readonly urls: Readonly<Record<"service" | "issuer" | "application" | "simulator", string>> & {
    readonly providers: Readonly<Record<Provider, string>>;
  };
  readonly apis: readonly [number, number];
  readonly upstreams: Readonly<Record<"issuer" | "application", number>>;
  readonly simulatorPorts: Readonly<Record<"simulator" | Provider, number>>;
}

/** Starts the proxy of all addresses, and gives its name: Caddy or, without it, the testkit's. */
export async function serveSites(
  sites: Sites,
  shutdown: Shutdown,
  { isBundled }: { isBundled: boolean },
): Promise<string> {
  if (CADDY?.isInstalled && !isBundled) {
    await startCaddy(sites, shutdown);
    return "Caddy";
  }
  const { certificates, urls, apis, upstreams, simulatorPorts } = sites;
  const [cert, key] = await Promise.all([
    readFile(certificates.certificate, "utf8"),
    readFile(certificates.key, "utf8"),
  ]);
  // A process that stops fails the probe first, and serves for some seconds more.
  const isReady = async (index: number) => (await fetch(`http://127.0.0.1:${apis[index]}/readyz`)).ok;
  const balancer = await balanceLoad(apis, { isHealthy: (index) => isReady(index).catch(() => false) });
  shutdown.add(async () => balancer.close());
  const upstreamOf: readonly (readonly [url: string, port: number])[] = [
    [urls.service, balancer.port],
    [urls.issuer, upstreams.issuer],
    [urls.application, upstreams.application],
    [urls.simulator, simulatorPorts.simulator],
    ...PROVIDERS.map((provider) => [urls.providers[provider], simulatorPorts[provider]] as const),
  ];
  for (const [url, port] of upstreamOf) {
    const stop = await serveHttps(Number(new URL(url).port), port, { cert, key });
    shutdown.add(async () => stop());
  }
  return "the testkit's proxy, because the Debian package caddy is not used";
}

/** With the file of `deploy`, changed only in addresses and paths, and with two sites more. */
async function startCaddy(sites: Sites, shutdown: Shutdown): Promise<void> {
  const { folder, certificates, urls, apis, upstreams, simulatorPorts } = sites;
  const at = (url: string, upstream: number) => `${url} {\n\timport tls\n\treverse_proxy 127.0.0.1:${upstream}\n}\n`;
  const site = (name: string) => `https://${name}.localhost:{$SOCIAL_CONNECT_PORT:8443}`;
  const caddyfile = replaced(await readFile(join(DEPLOY, "compose", "Caddyfile"), "utf8"), [
    ["api-1:4400 api-2:4400", apis.map((port) => `127.0.0.1:${port}`).join(" ")],
    ["/run/sandbox/tls.crt", certificates.certificate],
    ["/run/sandbox/tls.key", certificates.key],
    [site("simulator"), urls.simulator],
    ["simulator:4401", `127.0.0.1:${simulatorPorts.simulator}`],
    ...PROVIDERS.flatMap((key, index) => [
      [site(key), urls.providers[key]] as const,
      [`simulator:${4406 + index}`, `127.0.0.1:${simulatorPorts[key]}`] as const,
    ]),
  ]);
  const file = join(folder, "Caddyfile");
  const added = [at(urls.issuer, upstreams.issuer), at(urls.application, upstreams.application)];
  await writeFile(file, [caddyfile, ...added].join("\n"));
  const port = Number(new URL(urls.service).port);
  const environment = { XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, SOCIAL_CONNECT_PORT: String(port) };
  const proxy = await startProxy("caddy", ["run", "--config", file, "--adapter", "caddyfile"], environment, {
    port,
    host: "localhost",
  });
  shutdown.add(() => proxy.stop());
}
