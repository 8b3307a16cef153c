import { pageRoute } from "../../shell/rootRoute.ts";

export const healthRoutes = [pageRoute("/health", () => import("./HealthPage.tsx"), "HealthPage")] as const;
