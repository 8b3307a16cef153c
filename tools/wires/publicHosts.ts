import type { ProviderKey } from "../../apps/simulator/src/shared/providerKeys.ts";
import type { TestSimulator } from "../../apps/simulator/src/testing/testSimulator.ts";

/** The hosts that the public APIs spread their paths over; the simulator has one origin for each provider. */
const HOSTS: Readonly<Record<string, ProviderKey>> = {
  "www.tiktok.com": "provider-b",
  "open.tiktokapis.com": "provider-b",
};

/** An address at a public host as the simulator has it: another origin, and nothing else. */
export function atSimulator(simulator: TestSimulator, address: string | URL): URL {
  const { host, pathname, search } = new URL(address);
  const provider = HOSTS[host];
  if (provider === undefined) throw new Error(`No simulated provider replaces ${host}.`);
  return new URL(pathname + search, simulator.providerUrls[provider]);
}

/** For clients that have their hosts built in: what they send there goes to the simulator from now on. */
export function routePublicHosts(simulator: TestSimulator): void {
  const send = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    const request = new Request(input, init);
    return new URL(request.url).host in HOSTS
      ? send(new Request(atSimulator(simulator, request.url), request))
      : send(request);
  };
}
