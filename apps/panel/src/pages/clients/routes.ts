import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../shell/rootRoute.ts";
import type { StepName } from "./create/steps.ts";
import { stepNamed } from "./create/steps.ts";

export interface ClientsSearch {
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
  component: lazyRouteComponent(() => import("./ClientsPage.tsx"), "ClientsPage"),
});

const createClientRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/clients/new",
  validateSearch: ({ step }: Readonly<Record<string, unknown>>): { readonly step?: StepName } => {
    const name = stepNamed(step);
    return name === null ? {} : { step: name };
  },
  component: lazyRouteComponent(() => import("./create/CreateClientPage.tsx"), "CreateClientPage"),
});

const clientRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/clients/$clientId",
  component: lazyRouteComponent(() => import("./detail/ClientPage.tsx"), "ClientPage"),
});

const overviewRoute = createRoute({
  getParentRoute: () => clientRoute,
  path: "/",
  component: lazyRouteComponent(() => import("./detail/ClientOverview.tsx"), "ClientOverview"),
});

const addressesRoute = createRoute({
  getParentRoute: () => clientRoute,
  path: "/addresses",
  component: lazyRouteComponent(() => import("./detail/ClientAddresses.tsx"), "ClientAddresses"),
});

const tenantsRoute = createRoute({
  getParentRoute: () => clientRoute,
  path: "/tenants",
  component: lazyRouteComponent(() => import("./detail/ClientTenants.tsx"), "ClientTenants"),
});

const policyRoute = createRoute({
  getParentRoute: () => clientRoute,
  path: "/policy",
  component: lazyRouteComponent(() => import("./detail/ClientPolicy.tsx"), "ClientPolicy"),
});

const previewsRoute = createRoute({
  getParentRoute: () => clientRoute,
  path: "/previews",
  component: lazyRouteComponent(() => import("./detail/ClientPreviews.tsx"), "ClientPreviews"),
});

const identityRoute = createRoute({
  getParentRoute: () => clientRoute,
  path: "/identity",
  component: lazyRouteComponent(() => import("./detail/ClientIdentity.tsx"), "ClientIdentity"),
});

const testersRoute = createRoute({
  getParentRoute: () => clientRoute,
  path: "/testers",
  component: lazyRouteComponent(() => import("./detail/ClientTesters.tsx"), "ClientTesters"),
});

const keysRoute = createRoute({
  getParentRoute: () => clientRoute,
  path: "/keys",
  component: lazyRouteComponent(() => import("./detail/ClientKeys.tsx"), "ClientKeys"),
});

const issueKeyRoute = createRoute({
  getParentRoute: () => clientRoute,
  path: "/keys/new",
  component: lazyRouteComponent(() => import("./detail/IssueKey.tsx"), "IssueKey"),
});

export const clientsRoutes = [
  listRoute,
  createClientRoute,
  clientRoute.addChildren([
    overviewRoute,
    addressesRoute,
    tenantsRoute,
    policyRoute,
    previewsRoute,
    identityRoute,
    testersRoute,
    keysRoute,
    issueKeyRoute,
  ]),
] as const;
