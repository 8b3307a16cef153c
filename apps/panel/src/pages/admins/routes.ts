import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../shell/rootRoute.ts";

const adminsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/admins",
  component: lazyRouteComponent(() => import("./AdminsPage.tsx"), "AdminsPage"),
});

export const adminsRoutes = [adminsRoute] as const;
