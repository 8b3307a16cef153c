import { Hono } from "hono";
import type { AppEnvironment, Dependencies } from "../core/context.ts";
import { loadHome } from "../core/load.ts";
import { homePage } from "../views/home.ts";

export function homeRoutes(dependencies: Dependencies) {
  const { store } = dependencies;
  const routes = new Hono<AppEnvironment>();

  routes.get("/", async (c) => {
    const { user } = c.get("signedIn");
    const home = await loadHome(dependencies, c.get("signedIn"));
    const listed = new Set(home.accounts.map(({ connection }) => connection.id));
    const disconnections = store.disconnectionsOf(user.id).filter(({ connectionId }) => !listed.has(connectionId));
    return c.html(homePage({ user, ...home, disconnections }));
  });

  return routes;
}
