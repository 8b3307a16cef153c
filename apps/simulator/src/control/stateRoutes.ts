import { localRequestProblem } from "@social-connect/domain";
import type { IssuerFault } from "@social-connect/provider-fixtures";
import { Hono, type MiddlewareHandler } from "hono";
import type { IssuerKey } from "../issuer/profiles.ts";
import { type App, type AppEnv, jsonResponse } from "../shared/http.ts";
import type { World } from "../state/createWorld.ts";
import type { LoggedRequest } from "../state/requestLog.ts";
import { accountRoutes } from "./accountRoutes.ts";
import { missing, takes } from "./handling.ts";
import { clockInput, faultInput, issuerFaultsInput, limitsInput, resetInput } from "./inputs.ts";

const LOOPBACK_ADDRESS = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;

/** Accepts only programs on this machine, by its loopback names, and no web page of another origin. */
const loopbackOnly: MiddlewareHandler<AppEnv> = async (call, next) => {
  const from = call.env.incoming.socket.remoteAddress ?? "";
  const header = (name: string) => call.req.header(name) ?? null;
  const hosts = [header("host") ?? ""];
  if (!LOOPBACK_ADDRESS.test(from) || localRequestProblem({ method: call.req.method, hosts, header }) !== null) {
    return jsonResponse({ error: "forbidden", message: "The control API only accepts programs on this machine." }, 403);
  }
  return next();
};

/** `/__sim`: the control API for tests and developers. */
export function controlRoutes(world: World, issuer: IssuerControl): App {
  const app: App = new Hono<AppEnv>();
  app.use(loopbackOnly);
  stateRoutes(app, world, issuer);
  accountRoutes(app, world);
  faultRoutes(app, world);
  return app;
}

/** Routes for faults, each of which applies to an endpoint and a number of calls. */
function faultRoutes(app: App, world: World): void {
  app.get("/faults", () => jsonResponse({ faults: world.faults.list() }));
  takes(app, "/faults", faultInput, ({ count, ...rule }) =>
    jsonResponse(world.faults.add({ ...rule, remaining: count }), 201),
  );
  app.delete("/faults", () => {
    world.faults.clear();
    return jsonResponse({ cleared: true });
  });
  app.delete("/faults/:id", (call) =>
    world.faults.remove(call.req.param("id")) ? jsonResponse({ removed: true }) : missing("Unknown fault."),
  );
}

export interface IssuerControl {
  readonly issuerUrls: Readonly<Record<IssuerKey, string>>;
  faults(): readonly IssuerFault[];
  setIssuerFaults(faults: readonly IssuerFault[]): void;
}

function stateRoutes(app: App, world: World, issuer: IssuerControl): void {
  app.get("/clock", () => showClock(world));
  takes(app, "/clock", clockInput, (input) => {
    if ("advance" in input) world.clock.advance(input.advance);
    else if ("advanceMs" in input) world.clock.advance(input.advanceMs);
    else if ("set" in input) world.clock.set(input.set);
    else world.clock.setOffset(input.offsetMs);
    world.save();
    return showClock(world);
  });
  app.get("/log", (call) => {
    const query = call.req.query();
    const filters = (["account", "endpoint", "provider"] as const).filter((name) => query[name] !== undefined);
    const isWanted = (entry: LoggedRequest) => filters.every((name) => entry[name] === query[name]);
    return jsonResponse({ entries: world.log.entries().filter(isWanted) });
  });
  app.delete("/log", () => {
    world.log.clear();
    return jsonResponse({ cleared: true });
  });
  app.get("/limits", () => jsonResponse(world.limits.settings));
  takes(app, "/limits", limitsInput, (input) => {
    Object.assign(world.limits.settings, input);
    return jsonResponse(world.limits.settings);
  });
  app.get("/issuer/faults", () => jsonResponse({ faults: issuer.faults() }));
  takes(app, "/issuer/faults", issuerFaultsInput, ({ faults }) => {
    issuer.setIssuerFaults(faults);
    return jsonResponse({ faults: issuer.faults() });
  });
  takes(app, "/reset", resetInput, ({ keepGrants }) => {
    world.posts.reset();
    if (!keepGrants) world.catalogue.reset();
    if (keepGrants) for (const grant of world.grants.select(() => true)) grant.counters = {};
    else world.grants.restore({ grants: [], tokens: [] });
    world.codes.clear();
    world.consentRequests.clear();
    world.faults.clear();
    world.log.clear();
    world.limits.reset();
    world.clock.setOffset(0);
    issuer.setIssuerFaults([]);
    world.save();
    return jsonResponse({ reset: true });
  });
}

function showClock(world: World): Response {
  return jsonResponse({ now: world.clock.now().toISOString(), offsetMs: world.clock.offsetMs() });
}
