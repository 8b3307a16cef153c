import { createRoute, type RouteComponent } from "@tanstack/react-router";
import type { ClientOrder } from "../../_generated/clients.ts";
import { lazyPage, pageRoute, rootRoute } from "../../shell/rootRoute.ts";
import { type StepName, stepNamed } from "./create/steps.ts";

interface ClientsSearch {
  /** Text in the slug or the name. */
  readonly find?: string;
  /** By slug if it is absent. */
  readonly order?: ClientOrder;
  readonly descending?: true;
}

const ORDERS = ["NAME", "CREATED", "UPDATED"] as const satisfies readonly ClientOrder[];

const listRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/clients",
  validateSearch: (given: Readonly<Record<string, unknown>>): ClientsSearch => {
    // The router parses numeric values as numbers.
    const text = String(given["find"] ?? "").trim();
    const order = ORDERS.find((name) => name === given["order"]);
    return {
      ...(text === "" ? {} : { find: text }),
      ...(order === undefined ? {} : { order }),
      ...(given["descending"] === true ? { descending: true } : {}),
    };
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
