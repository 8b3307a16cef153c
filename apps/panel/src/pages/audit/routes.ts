import { createRoute } from "@tanstack/react-router";
import { lazyPage, pageRoute, rootRoute } from "../../shell/rootRoute.ts";
import { auditSearch } from "./search.ts";

const auditRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/audit",
  validateSearch: auditSearch,
  component: lazyPage(() => import("./AuditPage.tsx"), "AuditPage"),
});

const entryRoute = pageRoute("/audit/$entryId", () => import("./AuditEntryPage.tsx"), "AuditEntryPage");

export const auditRoutes = [auditRoute, entryRoute] as const;
