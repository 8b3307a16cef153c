import { rootRoute } from "../shell/rootRoute.ts";
import { adminsRoutes } from "./admins/routes.ts";
import { apiKeysRoutes } from "./apiKeys/routes.ts";
import { auditRoutes } from "./audit/routes.ts";
import { clientsRoutes } from "./clients/routes.ts";
import { healthRoutes } from "./health/routes.ts";
import { overviewRoutes } from "./overview/routes.ts";
import { registrationsRoutes } from "./registrations/routes.ts";
import { supportRoutes } from "./support/routes.ts";

/** The routes of all pages; each folder defines its own. */
export const routeTree = rootRoute.addChildren([
  ...overviewRoutes,
  ...clientsRoutes,
  ...registrationsRoutes,
  ...apiKeysRoutes,
  ...adminsRoutes,
  ...auditRoutes,
  ...healthRoutes,
  ...supportRoutes,
]);
