import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { homePage } from "./consent/homePage.ts";
import type { Control } from "./control/control.ts";
import { controlRoutes } from "./control/routes.ts";
import type { App, AppEnv } from "./http.ts";
import { jsonAnswer } from "./http.ts";
import { mediaRoutes } from "./media/routes.ts";
import { apiRoutes as apiRoutesA } from "./provider-a/api.ts";
import { authorizeRoutes as authorizeRoutesA } from "./provider-a/authorize.ts";
import { revokeRoutes as revokeRoutesA } from "./provider-a/revoke.ts";
import { tokenRoutes as tokenRoutesA } from "./provider-a/token.ts";
import { apiRoutes as apiRoutesB } from "./provider-b/api.ts";
import { authorizeRoutes as authorizeRoutesB } from "./provider-b/authorize.ts";
import { revokeRoutes as revokeRoutesB } from "./provider-b/revoke.ts";
import { tokenRoutes as tokenRoutesB } from "./provider-b/token.ts";
import { apiRoutes as apiRoutesC } from "./provider-c/api.ts";
import { authorizeRoutes as authorizeRoutesC } from "./provider-c/authorize.ts";
import { longLivedRoutes, signInRoutes } from "./provider-c/token.ts";
import type { ByProvider, ProviderKey } from "./wire.ts";
import type { World } from "./world.ts";

const BODY_MAX_BYTES = 1024 * 1024;
const GRAPH_VERSION = "/:version{v[0-9]+\\.[0-9]+}";

const ROUTES: ByProvider<(app: App, world: World) => void> = {
  "provider-a": (app, world) => {
    app.route("/", authorizeRoutesA(world));
    app.route("/", tokenRoutesA(world));
    app.route("/", revokeRoutesA(world));
    app.route("/", apiRoutesA(world));
  },
  "provider-b": (app, world) => {
    app.route("/", authorizeRoutesB(world));
    app.route("/", tokenRoutesB(world));
    app.route("/", revokeRoutesB(world));
    app.route("/", apiRoutesB(world));
  },
  "provider-c": (app, world) => {
    app.route("/", authorizeRoutesC(world));
    app.route("/", signInRoutes(world));
    // Before the reads, which take any single segment for an id.
    app.route("/", longLivedRoutes(world));
    app.route(GRAPH_VERSION, longLivedRoutes(world));
    app.route("/", apiRoutesC(world));
    app.route(GRAPH_VERSION, apiRoutesC(world));
  },
};

/** One provider at its own origin: the hosts that the real one spreads its paths over are one here. */
export function createProviderApp(world: World, provider: ProviderKey): App {
  const app: App = new Hono<AppEnv>();
  app.use(async (call, next) => {
    call.set("trace", {});
    const startedMs = performance.now();
    await next();
    const url = new URL(call.req.url);
    const { method } = call.req;
    // Paths hold ids of posts and accounts at most; whatever is secret travels in parameters, headers and bodies.
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
  ROUTES[provider](app, world);
  return app;
}

/** What belongs to no provider: the list of accounts, the pictures and the control address. */
export function createControlApp(world: World, control: Control): App {
  const app: App = new Hono<AppEnv>();
  withLimitsAndFailures(app);
  app.get("/", () => homePage(world));
  app.route("/media", mediaRoutes(world));
  app.route("/__sim", controlRoutes(world, control));
  return app;
}

function withLimitsAndFailures(app: App): void {
  app.use(bodyLimit({ maxSize: BODY_MAX_BYTES, onError: () => jsonAnswer({ error: "too_large" }, 413) }));
  app.notFound(() => jsonAnswer({ error: "not_found", message: "The simulator serves nothing at this address." }, 404));
  app.onError((error) => {
    console.error("The simulator failed to answer a call:", error);
    return jsonAnswer(
      { error: "simulator_failure", message: "The simulator itself failed; its output says why." },
      500,
    );
  });
}
