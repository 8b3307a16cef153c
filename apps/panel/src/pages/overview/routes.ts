import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../shell/rootRoute.ts";

const overviewRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/",
  component: lazyRouteComponent(() => import("./OverviewPage.tsx"), "OverviewPage"),
});

export const overviewRoutes = [overviewRoute] as const;
