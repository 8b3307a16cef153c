/** @module-tag nightly */
import { testClock } from "@social-connect/testkit";
import { expect } from "vitest";
import { expectAccessible } from "./testing/accessibility.ts";
import { test } from "./testing/journey.ts";
import { createRegistrations, moveRegistration } from "./testing/server.ts";

test("reports a change without a response as possibly applied, and refetches", async ({ panel, admin: user, page }) => {
  user.expectsErrors = true;
  const { id } = await panel.client("lost");
  await user.open(`/clients/${id}/tenants`);
  // The service applies the change, but the response is lost.
  await page.route("**/panel/graphql", async (route) => {
    if (!route.request().postData()?.includes("addClientTenantKey")) return route.continue();
    await route.fetch();
    return route.abort();
  });
  await user.add("New tenant key", "applied");
  await page.getByText("The change may have been applied").waitFor();
  await page.getByRole("listitem").filter({ hasText: "applied" }).waitFor();
  await expectAccessible(user, "a change without a response");
  await page.unroute("**/panel/graphql");

  // An error page of a proxy is handled in the same way.
  await page.route("**/panel/graphql", (route) =>
    route.request().postData()?.includes("addClientTenantKey")
      ? route.fulfill({ status: 502, contentType: "text/html", body: "<h1>Bad gateway</h1>" })
      : route.continue(),
  );
  await user.add("New tenant key", "not-made");
  await page.getByText("No response.").waitFor();
  expect(await page.getByRole("listitem").filter({ hasText: "not-made" }).count()).toBe(0);
  // The input can be submitted again.
  await page.unroute("**/panel/graphql");
  await page.getByRole("button", { name: "Add" }).click();
  await page.getByRole("listitem").filter({ hasText: "not-made" }).waitFor();
});

test("saving a policy does not overwrite another admin's change", async ({ panel, admin: user, page }) => {
  const { id, slug } = await panel.client("meanwhile");
  const stored = () => panel.service.prisma.application.findUniqueOrThrow({ where: { id } });
  await user.open(`/clients/${id}/policy`);
  await page.getByRole("checkbox", { name: "Post metrics" }).uncheck();
  await panel.service.prisma.application.update({ where: { id }, data: { providers: ["PROVIDER_C"] } });
  await page.getByRole("button", { name: "Save" }).click();
  const dialog = page.getByRole("dialog");
  await user.typeToConfirm(slug, "Remove and save");
  await dialog.getByText("Another admin changed these permissions. Nothing was saved.").waitFor();
  await expectAccessible(user, "a policy conflict");
  expect(await stored()).toMatchObject({ providers: ["PROVIDER_C"], capabilities: { length: 4 } });

  // The form shows the current permissions.
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect.poll(() => page.getByRole("checkbox", { name: "PROVIDER_A" }).isChecked()).toBe(false);
  await expect.poll(() => page.getByRole("checkbox", { name: "Post metrics" }).isChecked()).toBe(true);
  await page.getByRole("checkbox", { name: "PROVIDER_A" }).check();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("The permissions were saved.").waitFor();
  expect(await stored()).toMatchObject({ providers: ["PROVIDER_A", "PROVIDER_C"] });
});

test("adding an identity return URL does not overwrite another admin's change", async ({
  panel,
  admin: user,
  page,
}) => {
  const { id, slug } = await panel.client("handoff");
  const url = (name: string) => `https://${slug}.example/${name}`;
  const set = (names: readonly string[]) =>
    panel.service.prisma.application.update({ where: { id }, data: { identityReturnUrls: names.map(url) } });
  await set(["taken-away", "kept"]);
  await user.open(`/clients/${id}/identity`);
  await page
    .getByRole("listitem")
    .filter({ hasText: url("taken-away") })
    .waitFor();
  await set(["kept", "new"]);
  await user.add("New identity return URL", url("mine"));
  await page.getByText("The identity return URL was added.").waitFor();
  const { identityReturnUrls } = await panel.service.prisma.application.findUniqueOrThrow({ where: { id } });
  expect(identityReturnUrls).toEqual(["kept", "new", "mine"].map(url));
});

test("a registration that another admin changed is neither overwritten nor published", async ({
  panel,
  admin: user,
  page,
}) => {
  const { PROVIDER_A: id } = await createRegistrations({ ...panel.service, clock: testClock(new Date()) });
  const addresses = { ...panel.registration("PROVIDER_A").addresses };
  const change = async ({ clientId }: { readonly clientId: string }) => {
    await moveRegistration(panel.service, id, { addresses, clientId });
    const data = { status: "DRAFT", updatedAt: new Date() } as const;
    await panel.service.prisma.providerRegistration.update({ where: { id }, data });
  };
  await change({ clientId: "first" });
  await user.open(`/registrations/${id}`);
  await page.getByLabel("Client id").fill("mine");
  await change({ clientId: "theirs" });
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Another admin changed this registration.").waitFor();
  expect(await page.getByLabel("Client id").inputValue()).toBe("mine");
  await expectAccessible(user, "a registration conflict");
  await page.reload();
  await expect.poll(() => page.getByLabel("Client id").inputValue()).toBe("theirs");
  await change({ clientId: "theirs again" });
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await page.getByText("Another admin changed this registration.").waitFor();
  expect(await panel.service.prisma.providerRegistration.findUnique({ where: { id } })).toMatchObject({
    clientId: "theirs again",
    status: "DRAFT",
  });
});

test("shows no tabs for a client that does not exist", async ({ admin: user, page }) => {
  await user.open("/clients/00000000-0000-4000-8000-000000000000/keys");
  await page.getByText("The client does not exist.").waitFor();
  expect(await page.getByRole("navigation", { name: "Client sections" }).count()).toBe(0);
  expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
});
