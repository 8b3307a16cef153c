import { randomBytes } from "node:crypto";
import type { RequestListener, Server } from "node:http";
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { createApp } from "./app.ts";
import type { TimeSource } from "./clock.ts";
import { systemTime } from "./clock.ts";
import { createWorld } from "./createWorld.ts";
import type { Issuer } from "./identity/issuer.ts";
import { createIssuer } from "./identity/issuer.ts";
import type { IssuerClient } from "./identity/issuerClient.ts";
import type { Lie } from "./identity/lies.ts";
import type { LimitSettings } from "./limits.ts";
import { DEFAULT_LIMITS } from "./limits.ts";
import type { SavedState } from "./stateFile.ts";
import { createStateWriter, readStateFile } from "./stateFile.ts";
import type { SimulatorClients } from "./wire.ts";

export interface SimulatorOptions {
  /** Port of the wire profiles and the control address; 0 takes a free one. */
  readonly port: number;
  /** Port of the OpenID provider; 0 takes a free one. */
  readonly issuerPort: number;
  /** Address to listen on, and the host in every address that is handed out; default 127.0.0.1. */
  readonly host?: string;
  /** Default: the machine's clock. The control address moves it from there. */
  readonly clock?: TimeSource;
  /** Another seed makes other posts; accounts and their ids stay. */
  readonly seed?: string;
  /** Applications registered at each provider. */
  readonly clients: SimulatorClients;
  /** Applications registered at the OpenID provider. */
  readonly issuerClients: readonly IssuerClient[];
  readonly limits?: Partial<LimitSettings>;
  /** Where grants, posts and keys are kept between starts; absent: nowhere. */
  readonly stateFile?: string;
}

export interface RunningSimulator {
  readonly simulatorUrl: string;
  readonly issuerUrl: string;
  /** Makes the issuer lie from now on; an empty list makes it honest again. */
  setLies(lies: readonly Lie[]): void;
  close(): Promise<void>;
}

/** Starts both servers. Fails with the system's error when a port is taken, and leaves nothing open then. */
export async function startSimulator(options: SimulatorOptions): Promise<RunningSimulator> {
  const host = options.host ?? "127.0.0.1";
  const saved = options.stateFile === undefined ? null : await readStateFile(options.stateFile);
  const seed = saved?.seed ?? options.seed ?? "social-connect";
  const time = options.clock ?? systemTime;

  const simulator = await listen(options.port, host);
  const issuerServer = await listen(options.issuerPort, host).catch(async (error: unknown) => {
    await shut(simulator.server);
    throw error;
  });

  let issuer: Issuer | null = null;
  const currentState = (): SavedState => ({
    version: 1,
    seed,
    createdAt: world.createdAt.toISOString(),
    clockOffsetMs: world.clock.offsetMs(),
    grants: world.grants.saved(),
    posts: world.posts.changes(),
    issuerKeys: issuer?.privateKeys ?? saved?.issuerKeys ?? [],
  });
  const writer = options.stateFile === undefined ? null : createStateWriter(options.stateFile, currentState);
  const world = createWorld({
    time,
    seed,
    clients: options.clients,
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    saved,
    baseUrl: () => simulator.url,
    save: () => writer?.schedule(),
  });
  try {
    issuer = await createIssuer({
      issuerUrl: issuerServer.url,
      clients: options.issuerClients,
      offsetMs: () => world.clock.offsetMs(),
      privateKeys: saved?.issuerKeys ?? [],
      cookieKey: randomBytes(32).toString("base64url"),
    });
  } catch (error) {
    await Promise.all([shut(simulator.server), shut(issuerServer.server)]);
    throw error;
  }
  const { listener, setLies, lies } = issuer;
  simulator.serve(getRequestListener(createApp(world, { lies, setLies }).fetch));
  issuerServer.serve(listener);
  world.save();

  return {
    simulatorUrl: simulator.url,
    issuerUrl: issuerServer.url,
    setLies,
    close: async () => {
      await Promise.all([shut(simulator.server), shut(issuerServer.server)]);
      await writer?.flush();
    },
  };
}

interface Listening {
  readonly server: Server;
  readonly url: string;
  serve(listener: RequestListener): void;
}

/** Takes the port at once, so that addresses are known before there is anything to answer with. */
function listen(port: number, host: string): Promise<Listening> {
  let listener: RequestListener = (_request, response) => response.writeHead(503, { "retry-after": "1" }).end();
  const server = createServer((request, response) => listener(request, response));
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      const address = server.address();
      const boundPort = typeof address === "object" && address !== null ? address.port : port;
      const shownHost = host.includes(":") ? `[${host}]` : host;
      resolve({
        server,
        url: `http://${shownHost}:${boundPort}`,
        serve: (ready) => {
          listener = ready;
        },
      });
    });
  });
}

function shut(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
