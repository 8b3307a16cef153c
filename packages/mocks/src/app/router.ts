import { CONSUMER_PATHS } from "@social-connect/contract";
import { BROWSER_ERROR_PAGES, providerOfSlug, servedMethods, speculativeStatus } from "@social-connect/domain";
import { CONSUMER_SCHEMA_TEXT } from "../_generated/consumerSchema.ts";
import { adminApi } from "../graphql/adminApi.ts";
import { consumerApi } from "../graphql/consumerApi.ts";
import { answerGraphql } from "../graphql/graphqlApi.ts";
import { type Incoming, type Outcome, type Reply, reply, textReply } from "../http/exchange.ts";
import {
  answerConnectCallback,
  answerIdentityCallback,
  answerLaunch,
  answerPane,
  PANE_PATH,
} from "../pages/connectPages.ts";
import { showConsent, takeConsent } from "../pages/consentPages.ts";
import { showSignIn, takeSignIn } from "../pages/issuerPages.ts";
import { errorPage, showDeletion } from "../pages/pages.ts";
import { PROVIDERS } from "../providers/providers.ts";
import { ISSUER_PATH, MOCK_PATH } from "../state/addresses.ts";
import type { Settings } from "../state/settings.ts";
import { StateReplacedError, type World } from "../world/world.ts";

const ADMIN_PATH = "/api/admin/graphql";

/** Handles requests below the mock's own path; null for an unknown path. */
export type ControlRoutes = (request: Incoming, path: string) => Promise<Outcome | null>;

/** Answers every request to an origin of the mock, from every transport, without network access. */
export async function answer(world: World, request: Incoming, control: ControlRoutes): Promise<Outcome> {
  const path = pathBelow(world, request.url);
  const ofMock = path.startsWith(`${MOCK_PATH}/`);
  if (!ofMock) await letTimePass(world);
  world.catchUp();
  try {
    const outcome = (await route(world, request, path, control)) ?? notServed(request, path);
    return outcome === "dropped" || request.method !== "HEAD" ? outcome : { ...outcome, body: null };
  } catch (error) {
    if (error instanceof StateReplacedError) return "dropped";
    throw error;
  }
}

/** For an address that does not exist, or does not have the method. */
function notServed({ method }: Incoming, path: string): Reply {
  const methods = servedMethods(path, (provider, message) => PROVIDERS[provider].messages.includes(message));
  const isKnown = methods !== null && !methods.includes(method);
  const page = errorPage({ ...BROWSER_ERROR_PAGES.notFound, ...(isKnown && { status: 405 }) });
  const answer = method === "OPTIONS" || isGraphql(path) ? textReply(page.status, "Not served here.\n") : page;
  return isKnown ? { ...answer, headers: [...answer.headers, ["allow", methods.join(", ")]] } : answer;
}

function isGraphql(path: string): boolean {
  return path === CONSUMER_PATHS.graphql || path === ADMIN_PATH;
}

/** Without the file's header comment, which the service does not publish. */
const PUBLISHED_SCHEMA = CONSUMER_SCHEMA_TEXT.replace(/^#.*\n+/, "");

async function route(world: World, request: Incoming, path: string, control: ControlRoutes): Promise<Outcome | null> {
  const { method } = request;
  const early = speculativeStatus(method, path, (name) => request.headers.get(name));
  if (early !== null) return reply(early);
  if (method === "OPTIONS" || (isGraphql(path) && method !== "POST")) return null;
  if (path === CONSUMER_PATHS.graphql) return answerGraphql(world, consumerApi, request);
  if (path === ADMIN_PATH) return answerGraphql(world, adminApi, request);
  if (path === CONSUMER_PATHS.schema && method === "GET") return textReply(200, PUBLISHED_SCHEMA);
  if (path === CONSUMER_PATHS.connectRedeem && method === "POST") return answerLaunch(world, request, "connect");
  if (path === PANE_PATH && (method === "GET" || method === "POST")) return answerPane(world, request);
  if (path === CONSUMER_PATHS.identityRedeem && method === "POST") return answerLaunch(world, request, "identity");
  if (path === "/api/identity/callback" && method === "GET") return answerIdentityCallback(world, request);
  const [, slug] = /^\/api\/connect\/callback\/([a-z-]+)$/.exec(path) ?? [];
  if (slug !== undefined && method === "GET") return answerConnectCallback(world, request, slug);
  const [, deletedAt] = /^\/api\/connect\/([a-z-]+)\/data-deletion$/.exec(path) ?? [];
  if (deletedAt !== undefined && (method === "GET" || method === "HEAD"))
    return showDeletion(world, request, deletedAt);
  const visitAhead = async (address: string) => {
    const url = new URL(address);
    const { ownHosts } = request;
    for (const [aheadMethod, headers] of AHEAD) {
      const ahead = {
        method: aheadMethod,
        url,
        headers: new Headers(headers),
        text: async () => null,
        ...(ownHosts && { ownHosts }),
      };
      await route(world, ahead, pathBelow(world, url), control);
    }
  };
  return (await answerPages(world, request, path, visitAhead)) ?? control(request, path);
}

/** What link checkers and browsers request before a person opens an address. */
const AHEAD = [
  ["HEAD", {}],
  ["GET", { "sec-purpose": "prefetch" }],
] as const;

async function answerPages(
  world: World,
  request: Incoming,
  path: string,
  visitAhead: (address: string) => Promise<void>,
): Promise<Outcome | null> {
  const { method } = request;
  const [, slug, page] = /^\/__mock\/providers\/([a-z-]+)\/(authorize|consent)$/.exec(path) ?? [];
  const provider = slug === undefined ? null : providerOfSlug(slug);
  if (provider !== null && page === "authorize" && method === "GET") return showConsent(world, request, provider);
  if (provider !== null && page === "consent" && method === "POST") {
    return takeConsent(world, request, provider, visitAhead);
  }
  if (path === `${ISSUER_PATH}/authorize` && method === "GET") return showSignIn(world, request);
  if (path === `${ISSUER_PATH}/sign-in` && method === "POST") return takeSignIn(world, request);
  return null;
}

interface Base {
  readonly origin: string;
  readonly prefix: string;
}

const bases = new WeakMap<Settings, readonly Base[]>();

function pathBelow({ settings }: World, url: URL): string {
  for (const { origin, prefix } of basesOf(settings)) {
    if (url.origin === origin && url.pathname.startsWith(`${prefix}/`)) return url.pathname.slice(prefix.length);
  }
  return url.pathname;
}

function basesOf(settings: Settings): readonly Base[] {
  const known = bases.get(settings);
  if (known !== undefined) return known;
  const read = [settings.baseUrl, settings.connectHost, settings.adminHost].map((base) => {
    const { origin, pathname } = new URL(base);
    return { origin, prefix: pathname.replace(/\/$/, "") };
  });
  bases.set(settings, read);
  return read;
}

async function letTimePass(world: World): Promise<void> {
  const { clock, advancePerRequestMs } = world.settings;
  if (clock === "manual" && advancePerRequestMs > 0) await world.advanceTo(world.nowMs() + advancePerRequestMs, false);
}
