import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { serveHttps } from "../../packages/testkit/src/harness/httpsProxy.ts";
import { balanceLoad } from "../../packages/testkit/src/harness/loadBalancer.ts";
import { DEPLOY, nginxConfiguration, PROXIES, replaced, startProxy } from "../proxies/proxies.ts";

/** Those of `deploy/`, and that of the testkit for machines without them. */
export type ProxyName = "nginx" | "caddy" | "bundled";

export function isInstalled(proxy: ProxyName): boolean {
  return (
    proxy === "bundled" || PROXIES.some(({ debianPackage, isInstalled }) => debianPackage === proxy && isInstalled)
  );
}

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

/** Starts the proxy of all addresses. */
export async function serveSites(sites: Sites, shutdown: AsyncDisposableStack, proxy: ProxyName): Promise<void> {
  if (proxy === "caddy") await startCaddy(sites, shutdown);
  else if (proxy === "nginx") await startNginx(sites, shutdown);
  else await startBundled(sites, shutdown);
}

/** Every address and the port behind it, without the service. */
function others({ urls, upstreams, simulatorPorts }: Sites): readonly (readonly [url: string, port: number])[] {
  return [
    [urls.issuer, upstreams.issuer],
    [urls.application, upstreams.application],
    [urls.simulator, simulatorPorts.simulator],
    ...PROVIDERS.map((provider) => [urls.providers[provider], simulatorPorts[provider]] as const),
  ];
}

async function startBundled(sites: Sites, shutdown: AsyncDisposableStack): Promise<void> {
  const { certificates, urls, apis } = sites;
  const [cert, key] = await Promise.all([
    readFile(certificates.certificate, "utf8"),
    readFile(certificates.key, "utf8"),
  ]);
  // A process that stops fails the probe first, and serves for some seconds more.
  const isReady = async (index: number) => (await fetch(`http://127.0.0.1:${apis[index]}/readyz`)).ok;
  const balancer = await balanceLoad(apis, { isHealthy: (index) => isReady(index).catch(() => false) });
  shutdown.defer(async () => balancer.close());
  for (const [url, port] of [[urls.service, balancer.port] as const, ...others(sites)]) {
    const stop = await serveHttps(Number(new URL(url).port), port, { cert, key });
    shutdown.defer(async () => stop());
  }
}

/** With the file of `deploy`, changed only in addresses and paths, and with two sites more. */
async function startCaddy(sites: Sites, shutdown: AsyncDisposableStack): Promise<void> {
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
  shutdown.defer(() => proxy.stop());
}

/** With the file of `deploy`, changed only in addresses, and with sites for the others. */
async function startNginx(sites: Sites, shutdown: AsyncDisposableStack): Promise<void> {
  const { folder, certificates, urls, apis } = sites;
  const { certificate, key } = certificates;
  const port = Number(new URL(urls.service).port);
  const service = replaced(await readFile(join(DEPLOY, "nginx", "social-connect.conf"), "utf8"), [
    ["server 127.0.0.1:4400", `server 127.0.0.1:${apis[0]}`],
    ["server 127.0.0.1:4401", `server 127.0.0.1:${apis[1]}`],
    ["connect.example.com", "localhost"],
    ["/etc/ssl/social-connect/tls.crt", certificate],
    ["/etc/ssl/social-connect/tls.key", key],
    ["listen 443 ssl", `listen 127.0.0.1:${port} ssl`],
    ["/var/log/nginx/", `${folder}/`],
    // The port is another than that of https.
    ["$host", "$http_host"],
  ]);
  const site = ([url, upstream]: readonly [string, number]) => `server {
    listen 127.0.0.1:${new URL(url).port} ssl;
    ssl_certificate ${certificate};
    ssl_certificate_key ${key};
    location / {
      proxy_pass http://127.0.0.1:${upstream};
      proxy_http_version 1.1;
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_set_header X-Forwarded-Proto https;
      proxy_set_header X-Forwarded-Host $http_host;
      proxy_buffer_size 64k;
      proxy_buffers 8 64k;
      proxy_read_timeout 180s;
    }
  }`;
  const file = join(folder, "nginx.conf");
  await writeFile(file, nginxConfiguration(folder, [service, ...others(sites).map(site)].join("\n")));
  const parameters = ["-p", folder, "-c", file, "-e", join(folder, "error.log")];
  const proxy = await startProxy("nginx", parameters, {}, { port, host: "localhost" });
  shutdown.defer(() => proxy.stop());
}
