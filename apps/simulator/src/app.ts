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
import type { World } from "./world.ts";

const BODY_MAX_BYTES = 1024 * 1024;

/** The simulator as one table of routes. */
export function createApp(world: World, control: Control): App {
  const app: App = new Hono<AppEnv>();
  app.use(async (call, next) => {
    call.set("trace", {});
    const startedMs = performance.now();
    await next();
    const url = new URL(call.req.url);
    if (url.pathname.startsWith("/__sim") || url.pathname.startsWith("/media/")) return;
    const { method } = call.req;
    // Paths hold ids of posts and accounts at most; whatever is secret travels in parameters, headers and bodies.
    world.log.add(
      {
        ...call.get("trace"),
        method,
        path: url.pathname,
        status: call.res.status,
        durationMs: Math.round(performance.now() - startedMs),
      },
      url.searchParams,
    );
  });
  app.use(bodyLimit({ maxSize: BODY_MAX_BYTES, onError: () => jsonAnswer({ error: "too_large" }, 413) }));

  app.route("/provider-a", authorizeRoutesA(world));
  app.route("/provider-a", tokenRoutesA(world));
  app.route("/provider-a", revokeRoutesA(world));
  app.route("/provider-a", apiRoutesA(world));

  app.route("/provider-b", authorizeRoutesB(world));
  app.route("/provider-b", tokenRoutesB(world));
  app.route("/provider-b", revokeRoutesB(world));
  app.route("/provider-b", apiRoutesB(world));

  app.route("/provider-c", authorizeRoutesC(world));
  app.route("/provider-c", signInRoutes(world));
  app.route("/provider-c/graph", longLivedRoutes(world));
  app.route("/provider-c/graph", apiRoutesC(world));
  app.route("/provider-c/graph/:version{v[0-9]+\\.[0-9]+}", apiRoutesC(world));

  app.get("/", () => homePage(world));
  app.route("/media", mediaRoutes(world));
  app.route("/__sim", controlRoutes(world, control));
  app.notFound(() => jsonAnswer({ error: "not_found", message: "The simulator serves nothing at this address." }, 404));
  app.onError((error) => {
    console.error("The simulator failed to answer a call:", error);
    return jsonAnswer(
      { error: "simulator_failure", message: "The simulator itself failed; its output says why." },
      500,
    );
  });
  return app;
}
