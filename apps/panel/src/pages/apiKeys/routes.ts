import { createRoute } from "@tanstack/react-router";
import { lazyPage, pageRoute, rootRoute } from "../../shell/rootRoute.ts";

const mintRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/api-keys/new",
  /** The id of the key that the new one replaces. */
  validateSearch: ({ replaces }: Readonly<Record<string, unknown>>): { readonly replaces?: string } =>
    typeof replaces === "string" && replaces !== "" ? { replaces } : {},
  component: lazyPage(() => import("./MintApiKeyPage.tsx"), "MintApiKeyPage"),
});

export const apiKeysRoutes = [
  pageRoute("/api-keys", () => import("./ApiKeysPage.tsx"), "ApiKeysPage"),
  mintRoute,
  pageRoute("/api-keys/$keyId", () => import("./ApiKeyPage.tsx"), "ApiKeyPage"),
] as const;
