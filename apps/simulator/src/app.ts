import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { controlRoutes, type IssuerControl } from "./control/stateRoutes.ts";
import { ISSUER_KEYS, ISSUER_PROFILES } from "./issuer/profiles.ts";
import { mediaRoutes } from "./media/routes.ts";
import { homePage, providerPage } from "./pages/page.ts";
import { type App, type AppEnv, jsonResponse } from "./shared/http.ts";
import type { ProviderKey } from "./shared/providerKeys.ts";
import type { World } from "./state/createWorld.ts";

const BODY_MAX_BYTES = 1024 * 1024;
/** One provider at its own origin, which combines the hosts of the real provider. */
export function createProviderApp(world: World, provider: ProviderKey): App {
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
  app.get("/", () => providerPage(world, provider));
  world.providers[provider].routes(app, world);
  return app;
}

/** The list of accounts, the pictures and the control API. */
export function createControlApp(world: World, issuer: IssuerControl): App {
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
    console.error("Unexpected error in the simulator:", error);
    return jsonResponse(
      { error: "simulator_failure", message: "Internal error of the simulator. See its output." },
      500,
    );
  });
}
