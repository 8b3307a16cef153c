import { pageRoute } from "../../shell/rootRoute.ts";

export const overviewRoutes = [pageRoute("/", () => import("./OverviewPage.tsx"), "OverviewPage")] as const;
