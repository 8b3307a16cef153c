import { pageRoute } from "../../shell/rootRoute.ts";

export const adminsRoutes = [pageRoute("/admins", () => import("./AdminsPage.tsx"), "AdminsPage")] as const;
