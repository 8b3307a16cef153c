import { afterAll, beforeAll, expect, test } from "vitest";
import { providerAdapter } from "../../providers/registry/registry.ts";
import { createApplication, createRegistrations } from "../testing/builders.ts";
import { createConnection } from "../testing/connections.ts";
import type { TestService } from "../testing/testService.ts";
import { startTestService } from "../testing/testService.ts";
import { describeProviderSetup } from "./describeProviderSetup.ts";
import { readRegistration } from "./readRegistrations.ts";
import { countConnectionsOf, servedClients } from "./registrationParts.ts";

let service: TestService;
let registrations: Awaited<ReturnType<typeof createRegistrations>>;

beforeAll(async () => {
  service = await startTestService({ connectHost: "https://connect.example", provider: providerAdapter });
  registrations = await createRegistrations(service);
});
afterAll(() => service.close());

test("a registration returns the clients it serves, in the order of their slugs, and null when it serves all", async () => {
  const id = registrations.PROVIDER_B;
  const served = async () =>
    (await servedClients(service, await readRegistration(service, id)))?.map(({ slug }) => slug);
  expect(await served()).toBeUndefined();
  for (const slug of ["zebra", "other", "ant"]) {
    const { id: applicationId } = await createApplication(service, slug);
    if (slug !== "other") {
      await service.prisma.registrationApplication.create({ data: { registrationId: id, applicationId } });
    }
  }
  await service.prisma.providerRegistration.update({ where: { id }, data: { allApplications: false } });
  expect(await served()).toEqual(["ant", "zebra"]);
});

test("connections are counted only for the registration through which they were made", async () => {
  await createConnection(service, await createApplication(service, "connected"), registrations);
  expect(await countConnectionsOf(service, registrations.PROVIDER_A)).toBe(1);
  expect(await countConnectionsOf(service, registrations.PROVIDER_C)).toBe(0);
});

test("each provider has one redirect URI, and a deauthorize URL where it sends callbacks", () => {
  const told = (["PROVIDER_A", "PROVIDER_C"] as const).map((provider) => describeProviderSetup(service, provider));
  expect(told).toMatchObject([
    {
      redirectUri: "https://connect.example/api/connect/callback/provider-a",
      deauthorizationUrl: null,
      canRevoke: true,
    },
    {
      redirectUri: "https://connect.example/api/connect/callback/provider-c",
      deauthorizationUrl: "https://connect.example/api/connect/deauthorize/provider-c",
      canRevoke: false,
    },
  ]);
});
