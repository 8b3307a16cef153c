import { SOCIAL_PROVIDERS, type SocialProvider } from "@social-connect/contract";
import { createRoute, type RouteComponent } from "@tanstack/react-router";
import type { ClientOrder } from "../_generated/clientList.ts";
import type { SdkLibrary } from "../_generated/sdkVersions.ts";
import { lazyPage, pageRoute, rootRoute } from "../shell/rootRoute.ts";
import { connectionsSearch } from "../ui/connectionsSearch.ts";
import { auditSearch } from "./audit/search.ts";
import { eventsSearch } from "./clientEvents/search.ts";
import { type StepName, stepNamed } from "./clients/create/steps.ts";
import { OverviewPage } from "./overview/OverviewPage.tsx";

type Given = Readonly<Record<string, unknown>>;

/** Part of the first chunk, because admins start here. */
const overview = createRoute({ getParentRoute: () => rootRoute, path: "/", component: OverviewPage });

interface ClientsSearch {
  /** Text in the slug or the name. */
  readonly find?: string;
  /** By slug if it is absent. */
  readonly order?: ClientOrder;
  readonly descending?: true;
}

const ORDERS = ["NAME", "CREATED", "UPDATED"] as const satisfies readonly ClientOrder[];

const clients = createRoute({
  getParentRoute: () => rootRoute,
  path: "/clients",
  validateSearch: (given: Given): ClientsSearch => {
    // The router parses numeric values as numbers.
    const text = String(given["find"] ?? "").trim();
    const order = ORDERS.find((name) => name === given["order"]);
    return {
      ...(text === "" ? {} : { find: text }),
      ...(order === undefined ? {} : { order }),
      ...(given["descending"] === true ? { descending: true } : {}),
    };
  },
  component: lazyPage(() => import("./clientList/ClientsPage.tsx"), "ClientsPage"),
});

const newClient = createRoute({
  getParentRoute: () => rootRoute,
  path: "/clients/new",
  validateSearch: ({ step }: Given): { readonly step?: StepName } => {
    const name = stepNamed(step);
    return name === null ? {} : { step: name };
  },
  component: lazyPage(() => import("./clients/create/CreateClientPage.tsx"), "CreateClientPage"),
});

const client = pageRoute("/clients/$clientId", () => import("./clients/detail/ClientPage.tsx"), "ClientPage");

/** A tab of the client's page. */
function tab<const Path extends string, Name extends string>(
  path: Path,
  load: () => Promise<{ readonly [Each in Name]: RouteComponent }>,
  name: Name,
) {
  return createRoute({ getParentRoute: () => client, path, component: lazyPage(load, name) });
}

const clientEvents = createRoute({
  getParentRoute: () => client,
  path: "/events",
  validateSearch: eventsSearch,
  component: lazyPage(() => import("./clientEvents/ClientEvents.tsx"), "ClientEvents"),
});

const newRegistration = createRoute({
  getParentRoute: () => rootRoute,
  path: "/registrations/new",
  validateSearch: ({ provider }: Given): { readonly provider?: SocialProvider } => {
    const known = SOCIAL_PROVIDERS.find((name) => name === provider);
    return known === undefined ? {} : { provider: known };
  },
  component: lazyPage(() => import("./registrations/NewRegistrationPage.tsx"), "NewRegistrationPage"),
});

const registration = createRoute({
  getParentRoute: () => rootRoute,
  path: "/registrations/$registrationId",
  /** The dialog or form that the page opens with. */
  validateSearch: ({ open }: Given): { readonly open?: "pause" | "quota" } =>
    open === "pause" || open === "quota" ? { open } : {},
  component: lazyPage(() => import("./registrations/RegistrationPage.tsx"), "RegistrationPage"),
});

const newApiKey = createRoute({
  getParentRoute: () => rootRoute,
  path: "/api-keys/new",
  /** The id of the key that the new one replaces. */
  validateSearch: ({ replaces }: Given): { readonly replaces?: string } =>
    typeof replaces === "string" && replaces !== "" ? { replaces } : {},
  component: lazyPage(() => import("./apiKeys/MintApiKeyPage.tsx"), "MintApiKeyPage"),
});

const audit = createRoute({
  getParentRoute: () => rootRoute,
  path: "/audit",
  validateSearch: auditSearch,
  component: lazyPage(() => import("./audit/AuditPage.tsx"), "AuditPage"),
});

const connections = createRoute({
  getParentRoute: () => rootRoute,
  path: "/connections",
  validateSearch: connectionsSearch,
  component: lazyPage(() => import("./connections/ConnectionsPage.tsx"), "ConnectionsPage"),
});

const SDK_LIBRARIES = ["SDK", "ADMIN_SDK", "OTHER", "UNKNOWN"] as const satisfies readonly SdkLibrary[];

const sdkVersionClients = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sdk-versions/clients",
  validateSearch: ({ library, version }: Given): { readonly library?: SdkLibrary; readonly version?: string } => {
    const known = SDK_LIBRARIES.find((name) => name === library);
    return { ...(known && { library: known }), ...(version ? { version: String(version) } : {}) };
  },
  component: lazyPage(() => import("./sdkVersions/SdkVersionClientsPage.tsx"), "SdkVersionClientsPage"),
});

export const routeTree = rootRoute.addChildren([
  overview,
  clients,
  newClient,
  client.addChildren([
    tab("/", () => import("./clients/detail/ClientOverview.tsx"), "ClientOverview"),
    tab("/addresses", () => import("./clients/detail/ClientAddresses.tsx"), "ClientAddresses"),
    tab("/tenants", () => import("./clients/detail/ClientTenants.tsx"), "ClientTenants"),
    tab("/policy", () => import("./clients/detail/ClientPolicy.tsx"), "ClientPolicy"),
    tab("/branding", () => import("./clients/detail/ClientBranding.tsx"), "ClientBranding"),
    tab("/previews", () => import("./clients/detail/ClientPreviews.tsx"), "ClientPreviews"),
    tab("/identity", () => import("./clients/detail/ClientIdentity.tsx"), "ClientIdentity"),
    tab("/testers", () => import("./clients/detail/ClientTesters.tsx"), "ClientTesters"),
    tab("/keys", () => import("./clients/detail/ClientKeys.tsx"), "ClientKeys"),
    tab("/keys/new", () => import("./clients/detail/IssueKey.tsx"), "IssueKey"),
    clientEvents,
    tab("/events/new", () => import("./clientEvents/EndpointForms.tsx"), "NewEndpoint"),
    tab("/events/$endpointId", () => import("./clientEvents/EndpointForms.tsx"), "ChangeEndpoint"),
    tab("/events/$endpointId/secret", () => import("./clientEvents/EndpointForms.tsx"), "RotateSecret"),
  ]),
  pageRoute("/registrations", () => import("./registrations/RegistrationsPage.tsx"), "RegistrationsPage"),
  newRegistration,
  registration,
  pageRoute("/api-keys", () => import("./apiKeys/ApiKeysPage.tsx"), "ApiKeysPage"),
  newApiKey,
  pageRoute("/api-keys/$keyId", () => import("./apiKeys/ApiKeyPage.tsx"), "ApiKeyPage"),
  pageRoute("/admins", () => import("./admins/AdminsPage.tsx"), "AdminsPage"),
  audit,
  pageRoute("/audit/$entryId", () => import("./audit/AuditEntryPage.tsx"), "AuditEntryPage"),
  connections,
  pageRoute("/sdk-versions", () => import("./sdkVersions/SdkVersionsPage.tsx"), "SdkVersionsPage"),
  sdkVersionClients,
  pageRoute("/health", () => import("./health/HealthPage.tsx"), "HealthPage"),
  pageRoute("/support", () => import("./support/SupportPage.tsx"), "SupportPage"),
  pageRoute("/support/person", () => import("./person/PersonPage.tsx"), "PersonPage"),
  pageRoute("/support/connections/$connectionId", () => import("./support/ConnectionPage.tsx"), "ConnectionPage"),
]);
