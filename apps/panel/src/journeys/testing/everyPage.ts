import { type EnginePage, TestClock } from "@social-connect/testkit";
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

/** The title of each page, by the path of its route. A route that is missing here fails the tests. */
export const TITLES: Readonly<Record<string, RegExp>> = {
  "/": /^Overview$/,
  "/clients": /^Clients$/,
  "/clients/new": /^Create a client$/,
  "/clients/$clientId": /^Every page$/,
  "/clients/$clientId/addresses": /^Every page$/,
  "/clients/$clientId/tenants": /^Every page$/,
  "/clients/$clientId/policy": /^Every page$/,
  "/clients/$clientId/branding": /^Every page$/,
  "/clients/$clientId/previews": /^Every page$/,
  "/clients/$clientId/identity": /^Every page$/,
  "/clients/$clientId/testers": /^Every page$/,
  "/clients/$clientId/keys": /^Every page$/,
  "/clients/$clientId/keys/new": /^Every page$/,
  "/clients/$clientId/events": /^Every page$/,
  "/clients/$clientId/events/new": /^Every page$/,
  "/clients/$clientId/events/$endpointId": /^Every page$/,
  "/clients/$clientId/events/$endpointId/secret": /^Every page$/,
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
  const found: TestService = { ...panel.service, clock: new TestClock(new Date()) };
  const registrations = await createRegistrations(found);
  const application = await createApplication(found, "every-page-with-rather-a-long-slug-for-a-phone", {
    displayName: "Every page",
    previewOriginsEnabled: true,
    previewReturnPaths: ["/social/return"],
    idpIdentityEnabled: true,
  });
  const tester = {
    applicationId: application.id,
    provider: "PROVIDER_A" as const,
    providerAccountId: "UC0000000000000000000001",
  };
  await found.prisma.tester.create({ data: tester });
  const { id: connectionId } = await createConnection(found, application, registrations);
  const { id: endpointId } = await createEventEndpoint(found, application);
  const { id: keyId } = await createApiKey(found, await createAdminMember(found), "WRITE");
  const entry = await found.prisma.auditEntry.findFirst();
  return {
    clientId: application.id,
    registrationId: registrations.PROVIDER_A,
    keyId,
    connectionId,
    endpointId,
    entryId: entry?.id ?? "",
  };
}

export function pathOf(route: string, records: Readonly<Record<string, string>>): string {
  return route.replace(/\$(\w+)/g, (_all, name: string) => records[name] ?? "missing");
}
