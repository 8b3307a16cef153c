import type { RouteComponent } from "@tanstack/react-router";
import { createRoute } from "@tanstack/react-router";
import { lazyPage, pageRoute, rootRoute } from "../../shell/rootRoute.ts";
import type { StepName } from "./create/steps.ts";
import { stepNamed } from "./create/steps.ts";

interface ClientsSearch {
  /** Text in the slug or the name. */
  readonly find?: string;
}

const listRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/clients",
  validateSearch: ({ find }: Readonly<Record<string, unknown>>): ClientsSearch => {
    // The router parses numeric values as numbers.
    const text = String(find ?? "").trim();
    return text === "" ? {} : { find: text };
  },
  component: lazyPage(() => import("./ClientsPage.tsx"), "ClientsPage"),
});

const createClientRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/clients/new",
  validateSearch: ({ step }: Readonly<Record<string, unknown>>): { readonly step?: StepName } => {
    const name = stepNamed(step);
    return name === null ? {} : { step: name };
  },
  component: lazyPage(() => import("./create/CreateClientPage.tsx"), "CreateClientPage"),
});

const clientRoute = pageRoute("/clients/$clientId", () => import("./detail/ClientPage.tsx"), "ClientPage");

/** A tab of the client's page. */
function tab<const Path extends string, Name extends string>(
  path: Path,
  load: () => Promise<{ readonly [Each in Name]: RouteComponent }>,
  name: Name,
) {
  return createRoute({ getParentRoute: () => clientRoute, path, component: lazyPage(load, name) });
}

export const clientsRoutes = [
  listRoute,
  createClientRoute,
  clientRoute.addChildren([
    tab("/", () => import("./detail/ClientOverview.tsx"), "ClientOverview"),
    tab("/addresses", () => import("./detail/ClientAddresses.tsx"), "ClientAddresses"),
    tab("/tenants", () => import("./detail/ClientTenants.tsx"), "ClientTenants"),
    tab("/policy", () => import("./detail/ClientPolicy.tsx"), "ClientPolicy"),
    tab("/branding", () => import("./detail/ClientBranding.tsx"), "ClientBranding"),
    tab("/previews", () => import("./detail/ClientPreviews.tsx"), "ClientPreviews"),
    tab("/identity", () => import("./detail/ClientIdentity.tsx"), "ClientIdentity"),
    tab("/testers", () => import("./detail/ClientTesters.tsx"), "ClientTesters"),
    tab("/keys", () => import("./detail/ClientKeys.tsx"), "ClientKeys"),
    tab("/keys/new", () => import("./detail/IssueKey.tsx"), "IssueKey"),
  ]),
] as const;
