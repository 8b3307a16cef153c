import { Hono } from "hono";
import type { App, AppEnv } from "../shared/http.ts";
import type { World } from "../state/world.ts";
import { accountRoutes } from "./accountRoutes.ts";
import { faultRoutes } from "./faultRoutes.ts";
import { loopbackOnly } from "./guard.ts";
import { type IssuerControl, stateRoutes } from "./stateRoutes.ts";

/** `/__sim`: the control API for tests and developers. */
export function controlRoutes(world: World, issuer: IssuerControl): App {
  const app: App = new Hono<AppEnv>();
  app.use(loopbackOnly);
  stateRoutes(app, world, issuer);
  accountRoutes(app, world);
  faultRoutes(app, world);
  return app;
}
