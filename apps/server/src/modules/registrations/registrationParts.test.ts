import { expect, test } from "vitest";
import { providerAdapter } from "../../providers/registry/registry.ts";
import { connect, registrations, service } from "../testing/applicationOfFile.ts";
import { createApplication } from "../testing/builders.ts";
import { describeProviderSetup } from "./describeProviderSetup.ts";
import { readRegistration } from "./readRegistrations.ts";
import { countConnectionsOf, servedClients } from "./registrationParts.ts";

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
  await connect();
  expect(await countConnectionsOf(service, registrations.PROVIDER_A)).toBe(1);
  expect(await countConnectionsOf(service, registrations.PROVIDER_C)).toBe(0);
});

test("each provider has one redirect URI, and a deauthorize URL where it sends callbacks", () => {
  const real = { ...service, connectHost: "https://connect.example", provider: providerAdapter };
  const told = (["PROVIDER_A", "PROVIDER_C"] as const).map((provider) => describeProviderSetup(real, provider));
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
