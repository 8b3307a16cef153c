import assert from "node:assert/strict";
import { after, before } from "node:test";
import { FacebookAdsApi } from "facebook-nodejs-business-sdk";
import { giveConsent } from "../../apps/simulator/src/drive/drive.ts";
import type { ProviderKey } from "../../apps/simulator/src/shared/providerKeys.ts";
import { startTestSimulator, type TestSimulator } from "../../apps/simulator/src/testing/testSimulator.ts";

export let simulator: TestSimulator;

export function useSimulator(): void {
  before(async () => {
    simulator = await startTestSimulator();
  });
  after(() => simulator.close());
}

/** The code that a person's consent gives to the application that sent the state `the-state`. */
export async function codeFor(authorization: string | URL, account: string): Promise<string> {
  const { searchParams } = await giveConsent(authorization, { account });
  assert.deepEqual([searchParams.get("error"), searchParams.get("state")], [null, "the-state"]);
  return String(searchParams.get("code"));
}

/** The ids of an account's public posts, by the control API. */
export async function publicPosts(provider: ProviderKey, account: string): Promise<string[]> {
  const listed = await simulator.control("GET", `/accounts/${provider}/${account}/posts`);
  const posts = listed.at("posts") as { readonly id: string; readonly visibility: string }[];
  return posts.filter(({ visibility }) => visibility === "public").map(({ id }) => id);
}

/** The hosts that the public APIs spread their paths over; the simulator has one origin for each provider. */
const HOSTS: Readonly<Record<string, ProviderKey>> = {
  "www.tiktok.com": "provider-b",
  "open.tiktokapis.com": "provider-b",
};

/** An address at a public host as the simulator has it: another origin, and nothing else. */
export function atSimulator(address: string | URL): URL {
  const { host, pathname, search } = new URL(address);
  const provider = HOSTS[host];
  if (provider === undefined) throw new Error(`No simulated provider replaces ${host}.`);
  return new URL(pathname + search, simulator.providerUrls[provider]);
}

/** For clients that have their hosts built in: what they send there goes to the simulator from now on. */
export function routePublicHosts(): void {
  const send = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    const request = new Request(input, init);
    return new URL(request.url).host in HOSTS ? send(new Request(atSimulator(request.url), request)) : send(request);
  };
}

/**
 * The client of Meta's SDK for one access token, with its host replaced: the SDK names that in a static getter and has no
 * option for it. Without its crash reporter, which would write to Meta.
 */
export function graphApi(origin: string, accessToken: string): FacebookAdsApi {
  Object.defineProperty(FacebookAdsApi, "GRAPH", { configurable: true, get: () => origin });
  return new FacebookAdsApi(accessToken, "en_US", false);
}
