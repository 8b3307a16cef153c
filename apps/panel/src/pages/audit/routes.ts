import { createRoute } from "@tanstack/react-router";
import { lazyPage, pageRoute, rootRoute } from "../../shell/rootRoute.ts";

/** The filters. */
export interface AuditSearch {
  /** Id of an admin key. */
  readonly key?: string;
  /** Slug of a client. */
  readonly client?: string;
  readonly action?: string;
}

/** The filters in the URL; empty ones are ignored. */
function auditSearch({ key, client, action }: Readonly<Record<string, unknown>>): AuditSearch {
  // The router parses numeric values as numbers.
  const given = Object.entries({ key, client, action }).map(([name, value]) => [name, String(value ?? "").trim()]);
  return Object.fromEntries(given.filter(([, value]) => value !== ""));
}

const auditRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/audit",
  validateSearch: auditSearch,
  component: lazyPage(() => import("./AuditPage.tsx"), "AuditPage"),
});

const entryRoute = pageRoute("/audit/$entryId", () => import("./AuditEntryPage.tsx"), "AuditEntryPage");

export const auditRoutes = [auditRoute, entryRoute] as const;
