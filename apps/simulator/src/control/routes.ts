import { Hono } from "hono";
import type { App, AppEnv } from "../http.ts";
import type { World } from "../world.ts";
import { accountRoutes } from "./accountRoutes.ts";
import type { Control } from "./control.ts";
import { faultRoutes } from "./faultRoutes.ts";
import { loopbackOnly } from "./guard.ts";
import { stateRoutes } from "./stateRoutes.ts";

/** `/__sim`: how tests and developers steer the simulator. Only programs on this machine are answered. */
export function controlRoutes(world: World, control: Control): App {
  const app: App = new Hono<AppEnv>();
  app.use(loopbackOnly);
  stateRoutes(app, world, control);
  accountRoutes(app, world);
  faultRoutes(app, world);
  return app;
}
