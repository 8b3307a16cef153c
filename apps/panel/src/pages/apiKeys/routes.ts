import { pageRoute } from "../../shell/rootRoute.ts";

export const apiKeysRoutes = [
  pageRoute("/api-keys", () => import("./ApiKeysPage.tsx"), "ApiKeysPage"),
  pageRoute("/api-keys/new", () => import("./MintApiKeyPage.tsx"), "MintApiKeyPage"),
  pageRoute("/api-keys/$keyId", () => import("./ApiKeyPage.tsx"), "ApiKeyPage"),
] as const;
