import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { getRequestListener } from "@hono/node-server";
import { localHostProblem, type OwnHosts, ownHostsAt, reachableHost, takeAbsoluteTarget } from "@social-connect/domain";
import type { IssuerFault } from "@social-connect/provider-fixtures";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { controlRoutes, type IssuerControl } from "./control/stateRoutes.ts";
import type { IssuerClient } from "./issuer/issuer.ts";
import { createIssuers, type Issuers, issuerUrlsAt } from "./issuer/issuers.ts";
import { ISSUER_KEYS, ISSUER_PROFILES, type IssuerKey } from "./issuer/profiles.ts";
import { mediaRoutes } from "./media/routes.ts";
import { homePage } from "./pages/page.ts";
import { PROVIDERS } from "./providers/registry.ts";
import { systemTime, type TimeSource } from "./shared/clock.ts";
import { type App, type AppEnv, jsonResponse } from "./shared/http.ts";
import {
  type ByProvider,
  byProvider,
  PROVIDER_KEYS,
  type ProviderKey,
  type SimulatorClients,
} from "./shared/providerKeys.ts";
import { warn } from "./shared/warn.ts";
import { createWorld, type World } from "./state/createWorld.ts";
import { DEFAULT_LIMITS, type LimitSettings } from "./state/limits.ts";
import { createStateWriter, readStateFile, type SavedState } from "./state/stateFile.ts";

/** The origins under which clients reach the servers. */
export interface PublicUrls {
  readonly simulator: string;
  readonly issuer: string;
  readonly providers: ByProvider<string>;
}

export interface SimulatorOptions {
  /** Port of the control API and the pictures; 0: a free port. */
  readonly port: number;
  /** Port of the OpenID provider; 0: a free port. */
  readonly issuerPort: number;
  /** Port of each provider; absent or 0: a free port. */
  readonly providerPorts?: Readonly<Partial<Record<ProviderKey, number>>>;
  /** Address to listen on; default: 127.0.0.1. */
  readonly host?: string;
  /** Default: the system clock. The control API sets an offset. */
  readonly clock?: TimeSource;
  /** Determines the posts, but not the accounts and their ids. */
  readonly seed?: string;
  readonly clients: SimulatorClients;
  /** Applications registered at the OpenID provider. */
  readonly issuerClients: readonly IssuerClient[];
  readonly limits?: Partial<LimitSettings>;
  /** The URLs of a proxy, or of mapped ports, in front; default: those where the simulator listens. */
  readonly publicUrls?: PublicUrls;
  /** Stores grants, posts and keys between starts; default: not stored. */
  readonly stateFile?: string;
}

export interface RunningSimulator {
  /** Origin of the control API and the pictures. */
  readonly simulatorUrl: string;
  readonly issuerUrl: string;
  /** The issuers that behave as well-known OpenID providers do. */
  readonly issuerUrls: Readonly<Record<IssuerKey, string>>;
  /** Origin of each provider. */
  readonly providerUrls: ByProvider<string>;
  /** Sets the issuer's faults; an empty list removes them. */
  setIssuerFaults(faults: readonly IssuerFault[]): void;
  close(): Promise<void>;
}

/** Starts all servers. If a port is in use, closes the others and throws the system's error. */
export async function startSimulator(options: SimulatorOptions): Promise<RunningSimulator> {
  const host = options.host ?? "127.0.0.1";
  const saved = options.stateFile === undefined ? null : await readStateFile(options.stateFile);
  const seed = saved?.seed ?? options.seed ?? "social-connect";
  const time = options.clock ?? systemTime;

  const started: Listening[] = [];
  const { publicUrls: given } = options;
  const publicUrls = given === undefined ? [] : [given.simulator, given.issuer, ...Object.values(given.providers)];
  const open = async (port: number): Promise<Listening> => {
    const listening = await listen(port, host, ownHostsAt(host, publicUrls));
    started.push(listening);
    return listening;
  };
  const closeAll = async (): Promise<void> => {
    await Promise.all(started.map(({ server }) => closeServer(server)));
  };

  try {
    const simulator = await open(options.port);
    const issuerServer = await open(options.issuerPort);
    const providers = {} as Record<ProviderKey, Listening>;
    for (const key of PROVIDER_KEYS) providers[key] = await open(options.providerPorts?.[key] ?? 0);

    const urls = options.publicUrls ?? {
      simulator: simulator.url,
      issuer: issuerServer.url,
      providers: byProvider((key) => providers[key].url),
    };
    let issuer: Issuers | null = null;
    const currentState = (): SavedState => ({
      version: 1,
      seed,
      createdAt: world.createdAt.toISOString(),
      clockOffsetMs: world.clock.offsetMs(),
      accounts: world.catalogue.created(),
      grants: world.grants.saved(),
      posts: world.posts.changes(),
      issuerKeys: issuer?.privateKeys ?? saved?.issuerKeys ?? [],
    });
    const writer = options.stateFile === undefined ? null : createStateWriter(options.stateFile, currentState);
    const world = createWorld({
      time,
      seed,
      providers: PROVIDERS,
      clients: options.clients,
      limits: { ...DEFAULT_LIMITS, ...options.limits },
      saved,
      baseUrl: () => urls.simulator,
      providerUrl: (provider) => urls.providers[provider],
      save: () => writer?.schedule(),
    });
    issuer = createIssuers({
      issuerUrl: urls.issuer,
      clients: options.issuerClients,
      offsetMs: () => world.clock.offsetMs(),
      privateKeys: saved?.issuerKeys ?? [],
      cookieKey: randomBytes(32).toString("base64url"),
    });
    const { listener, setIssuerFaults, faults } = issuer;
    const issuerUrls = issuerUrlsAt(urls.issuer);
    simulator.serve(getRequestListener(createControlApp(world, { faults, setIssuerFaults, issuerUrls }).fetch));
    issuerServer.serve(listener);
    for (const provider of PROVIDER_KEYS) {
      providers[provider].serve(getRequestListener(createProviderApp(world, provider).fetch));
    }
    world.save();

    return {
      simulatorUrl: urls.simulator,
      issuerUrl: urls.issuer,
      issuerUrls,
      providerUrls: urls.providers,
      setIssuerFaults,
      close: async () => {
        await closeAll();
        await writer?.flush();
      },
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

interface Listening {
  readonly server: Server;
  readonly url: string;
  serve(listener: RequestListener): void;
}

/** Binds the port first, so that all URLs are known before the servers are created. */
async function listen(port: number, host: string, ownHosts: OwnHosts): Promise<Listening> {
  let listener: RequestListener = (_request, response) => response.writeHead(503, { "retry-after": "1" }).end();
  const server = createServer((request, response) => {
    takeAbsoluteTarget(request);
    // Other names are rejected, so that a web page cannot reach the simulator by DNS rebinding.
    const problem = localHostProblem(request.headersDistinct["host"] ?? [], ownHosts);
    if (problem === null) listener(request, response);
    else response.writeHead(403, { "content-type": "text/plain; charset=utf-8" }).end(`${problem}\n`);
  });
  await once(server.listen(port, host), "listening");
  return {
    server,
    url: `http://${reachableHost(host)}:${(server.address() as AddressInfo).port}`,
    serve: (ready) => {
      listener = ready;
    },
  };
}

async function closeServer(server: Server): Promise<void> {
  const closed = promisify(server.close.bind(server))();
  server.closeAllConnections();
  await closed;
}

const BODY_MAX_BYTES = 1024 * 1024;
/** One provider at its own origin, which combines the hosts of the real provider. */
function createProviderApp(world: World, provider: ProviderKey): App {
  const app: App = new Hono<AppEnv>();
  app.use(async (call, next) => {
    call.set("trace", {});
    const startedMs = performance.now();
    await next();
    const url = new URL(call.req.url);
    const { method } = call.req;
    // Paths contain only ids of posts and accounts; secrets are in parameters, headers and bodies.
    world.log.add(
      {
        ...call.get("trace"),
        provider,
        method,
        path: url.pathname,
        status: call.res.status,
        durationMs: Math.round(performance.now() - startedMs),
      },
      url.searchParams,
    );
  });
  withLimitsAndFailures(app);
  app.get("/", (call) => call.redirect(world.baseUrl()));
  world.providers[provider].routes(app, world);
  return app;
}

/** The list of accounts, the pictures and the control API. */
function createControlApp(world: World, issuer: IssuerControl): App {
  const app: App = new Hono<AppEnv>();
  withLimitsAndFailures(app);
  const issuers = ISSUER_KEYS.map((key) => ({ label: ISSUER_PROFILES[key].label, url: issuer.issuerUrls[key] }));
  app.get("/", () => homePage(world, issuers));
  app.route("/media", mediaRoutes(world));
  app.route("/__sim", controlRoutes(world, issuer));
  return app;
}

function withLimitsAndFailures(app: App): void {
  app.use(bodyLimit({ maxSize: BODY_MAX_BYTES, onError: () => jsonResponse({ error: "too_large" }, 413) }));
  app.notFound(() => jsonResponse({ error: "not_found", message: "Unknown path." }, 404));
  app.onError((error) => {
    warn("Unexpected error in the simulator:", error);
    return jsonResponse(
      { error: "simulator_failure", message: "Internal error of the simulator. See its output." },
      500,
    );
  });
}
