import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../shell/rootRoute.ts";

const healthRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/health",
  component: lazyRouteComponent(() => import("./HealthPage.tsx"), "HealthPage"),
});

export const healthRoutes = [healthRoute] as const;
