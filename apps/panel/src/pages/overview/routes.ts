import { createRoute } from "@tanstack/react-router";
import { rootRoute } from "../../shell/rootRoute.ts";
import { OverviewPage } from "./OverviewPage.tsx";

/** Part of the first chunk, because admins start here. */
export const overviewRoutes = [
  createRoute({ getParentRoute: () => rootRoute, path: "/", component: OverviewPage }),
] as const;
