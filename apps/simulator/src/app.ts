import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { controlRoutes } from "./control/routes.ts";
import type { IssuerControl } from "./control/stateRoutes.ts";
import { mediaRoutes } from "./media/routes.ts";
import { homePage } from "./pages/homePage.ts";
import type { App, AppEnv } from "./shared/http.ts";
import { jsonAnswer } from "./shared/http.ts";
import type { ProviderKey } from "./shared/providerKeys.ts";
import type { World } from "./state/world.ts";

const BODY_MAX_BYTES = 1024 * 1024;
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
  world.providers[provider].routes(app, world);
  return app;
}

/** What belongs to no provider: the list of accounts, the pictures and the control address. */
export function createControlApp(world: World, issuer: IssuerControl): App {
  const app: App = new Hono<AppEnv>();
  withLimitsAndFailures(app);
  app.get("/", () => homePage(world));
  app.route("/media", mediaRoutes(world));
  app.route("/__sim", controlRoutes(world, issuer));
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
