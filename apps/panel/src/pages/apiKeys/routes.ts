import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../shell/rootRoute.ts";

const listRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/api-keys",
  component: lazyRouteComponent(() => import("./ApiKeysPage.tsx"), "ApiKeysPage"),
});

const mintRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/api-keys/new",
  component: lazyRouteComponent(() => import("./MintApiKeyPage.tsx"), "MintApiKeyPage"),
});

const keyRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/api-keys/$keyId",
  component: lazyRouteComponent(() => import("./ApiKeyPage.tsx"), "ApiKeyPage"),
});

export const apiKeysRoutes = [listRoute, mintRoute, keyRoute] as const;
