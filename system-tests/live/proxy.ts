import { readCertificate } from "../deployment/certificates.ts";
import { startHttpProxy } from "../deployment/httpProxy.ts";
import { PROXIES, type Sites } from "../proxies/proxies.ts";

/** Those of `deploy/`, and one of this program for machines without them. */
export type ProxyName = "nginx" | "caddy" | "bundled";

const kindOf = (proxy: ProxyName) => PROXIES.find(({ debianPackage }) => debianPackage === proxy);

export const isInstalled = (proxy: ProxyName) => proxy === "bundled" || kindOf(proxy)?.isInstalled === true;

/** Starts the proxy of all addresses. */
export async function serveSites(sites: Sites, shutdown: AsyncDisposableStack, proxy: ProxyName): Promise<void> {
  const kind = kindOf(proxy);
  if (kind !== undefined) {
    const program = await kind.start(sites);
    return shutdown.defer(() => program.stop());
  }
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
