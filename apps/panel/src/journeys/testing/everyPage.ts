import { type EnginePage, testClock } from "@social-connect/testkit";
import {
  createAdminMember,
  createApiKey,
  createApplication,
  createConnection,
  createEventEndpoint,
  createRegistrations,
  type TestService,
} from "./server.ts";
import type { TestPanel } from "./testPanel.ts";

const ofClient = (...paths: readonly string[]) =>
  Object.fromEntries(paths.map((path) => [`/clients/$clientId${path}`, /^Every page$/]));

/** The title of each page, by the path of its route. A route that is missing here fails the tests. */
export const TITLES: Readonly<Record<string, RegExp>> = {
  "/": /^Overview$/,
  "/clients": /^Clients$/,
  "/clients/new": /^Create a client$/,
  ...ofClient("", "/addresses", "/tenants", "/policy", "/branding", "/previews", "/identity", "/testers"),
  ...ofClient("/keys", "/keys/new"),
  ...ofClient("/events", "/events/new", "/events/$endpointId", "/events/$endpointId/secret"),
  "/connections": /^Connections$/,
  "/sdk-versions": /^SDK versions$/,
  "/sdk-versions/clients": /^Clients: /,
  "/registrations": /^Registrations$/,
  "/registrations/new": /^New registration$/,
  "/registrations/$registrationId": /^Registration at /,
  "/api-keys": /^API keys$/,
  "/api-keys/new": /^Mint a key$/,
  "/api-keys/$keyId": /^WRITE$/,
  "/admins": /^Admins$/,
  "/audit": /^Audit log$/,
  "/audit/$entryId": /^(?!Audit entry$)./,
  "/health": /^Health$/,
  "/support": /^Support$/,
  "/support/person": /^User$/,
  "/support/connections/$connectionId": /^Connection/,
};

/** The paths that the router of the built panel knows. The first tab of a page with tabs has the page's path. */
export async function routesOf(page: EnginePage): Promise<string[]> {
  const paths = (await page.evaluate("Object.keys(window.__TSR_ROUTER__.routesByPath)")) as string[];
  return [...new Set(paths.map((path) => path.replace(/(.)\/$/, "$1")))].toSorted();
}

/** One record of each kind, by the name of its parameter in a path. */
export async function createRecords(panel: TestPanel): Promise<Readonly<Record<string, string>>> {
  const found: TestService = { ...panel.service, clock: testClock(new Date()) };
  const registrations = await createRegistrations(found);
  const application = await createApplication(found, "every-page-with-rather-a-long-slug-for-a-phone", {
    displayName: "Every page",
    previewOriginsEnabled: true,
    previewReturnPaths: ["/social/return"],
    idpIdentityEnabled: true,
  });
  const { id: clientId } = application;
  const tester = { provider: "PROVIDER_A", providerAccountId: "UC0000000000000000000001" } as const;
  await found.prisma.tester.create({ data: { applicationId: clientId, ...tester } });
  const { id: connectionId } = await createConnection(found, application, registrations);
  const { id: endpointId } = await createEventEndpoint(found, application);
  const { id: keyId } = await createApiKey(found, await createAdminMember(found), "WRITE");
  const entryId = (await found.prisma.auditEntry.findFirst())?.id ?? "";
  return { clientId, registrationId: registrations.PROVIDER_A, keyId, connectionId, endpointId, entryId };
}

export function pathOf(route: string, records: Readonly<Record<string, string>>): string {
  return route.replace(/\$(\w+)/g, (_all, name: string) => records[name] ?? "missing");
}
