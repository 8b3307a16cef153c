import { type LocalServer, serve } from "@social-connect/testkit";
import { beforeAll } from "vitest";
import { moveRegistration } from "../../../modules/testing/builders.ts";
import { startConnect } from "../../../modules/testing/calls.ts";
import { application, registrations, service, useApplication } from "../../../modules/testing/fixtures.ts";
import { providerAddresses } from "../../../providers/registration.ts";
import { startAdminServer } from "../../testing/adminServer.ts";

export { application, service };

const LOGO =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGPgijEDAAEQAJ3bTiK4AAAAAElFTkSuQmCC";

export let server: LocalServer;
/** The application's site, which posts the launch form; and the provider's. */
export let site: LocalServer;
let form = "";
let subjects = 0;

export function useLaunchSite(): void {
  useApplication();
  beforeAll(async () => {
    site = await serve(({ url = "" }, response) => {
      response.setHeader("content-type", "text/html").end(url.startsWith("/authorize") ? "<h1>Provider</h1>" : form);
    });
    const { PROVIDER_A: id } = registrations;
    const { addresses } = await service.prisma.providerRegistration.findUniqueOrThrow({ where: { id } });
    const moved = { ...providerAddresses.parse(addresses), authorization: `${site.url}/authorize` };
    await moveRegistration(service, id, { addresses: moved });
    server = await startAdminServer(service);
    await service.prisma.application.update({
      where: { id: application.id },
      data: {
        displayName: "Atelier Nordlicht",
        logo: LOGO,
        webOrigins: [site.url, "https://shop.example"],
        supportAddress: "mailto:help@shop.example",
        privacyUrl: "https://shop.example/privacy",
      },
    });
    return () => server.close().then(site.close);
  });
}

export function showForm(html: string): void {
  form = html;
}

export async function showLaunchForm(fields: Readonly<Record<string, string>>): Promise<void> {
  const { launchToken } = await startConnect(service, application, {
    scope: { tenantKey: "tenant-1", externalSubjectId: `visitor-${++subjects}` },
    capabilities: ["PROFILE", "CONTENT_LIST", "CONTENT_METRICS"],
  });
  const inputs = Object.entries({ launchToken: launchToken.reveal(), ...fields }).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${value}">`,
  );
  showForm(
    `<form method="post" action="${server.url}/api/connect/redeem">${inputs.join("")}<button>Connect</button></form>`,
  );
}
