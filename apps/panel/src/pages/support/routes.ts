import { pageRoute } from "../../shell/rootRoute.ts";

export const supportRoutes = [
  pageRoute("/support", () => import("./SupportPage.tsx"), "SupportPage"),
  pageRoute("/support/connections/$connectionId", () => import("./ConnectionPage.tsx"), "ConnectionPage"),
] as const;
