import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { TestPanel } from "./testing/testPanel.ts";

/** Bounds a page that does not come, also on a machine that has much else to do. */
vi.setConfig({ testTimeout: 180_000 });

const MINUTE = 60_000;
let panel: TestPanel;

beforeAll(async () => {
  panel = await TestPanel.start();
});
beforeEach(() => panel.clear());
afterAll(() => panel?.close());

test("a registration goes from an empty form over a failed check and a confirmation to published, paused and disabled", async () => {
  const user = await panel.user();
  const { page } = user;
  const { clientId, clientSecret, addresses } = panel.registration("PROVIDER_B");
  await user.signIn({ path: "/registrations" });
  await page.getByRole("link", { name: "New registration" }).click();
  await page.getByRole("radio", { name: "Provider B" }).check();

  // What has to be written down at the provider, to be copied.
  await page.getByRole("button", { name: "Copy redirect address" }).click();
  await expect.poll(() => user.clipboard()).toBe(`${panel.url}/api/connect/callback/provider-b`);

  // What is missing is said at its field, before anything is sent; what the service refuses, too.
  await page.getByRole("button", { name: "Save as a draft" }).click();
  await page.getByText("Write the client id that the provider gave you.").waitFor();
  await page.locator("input:focus").and(page.getByLabel("Client id")).waitFor();
  await page.getByLabel("Client id").fill(clientId);
  await page.getByRole("textbox", { name: "Client secret" }).fill("wrong-secret");
  await page.getByLabel("Consent page").fill(addresses.authorization);
  await page.getByLabel("Token address").fill("http://provider.example/token");
  await page.getByLabel("Revocation address").fill(addresses.revocation ?? "");
  await page.getByLabel("Base address of the API").fill(addresses.api);
  await page.getByRole("button", { name: "Save as a draft" }).click();
  await page.getByText("The address must be https.").waitFor();
  expect(await page.getByLabel("Token address").getAttribute("aria-invalid")).toBe("true");
  // An address of the provider that is none of its token's.
  await page.getByLabel("Token address").fill(`${panel.simulator.providerUrls["provider-b"]}/nothing-here`);
  await page.getByRole("button", { name: "Save as a draft" }).click();
  await user.heading("Registration at Provider B");
  await page.getByText("Draft", { exact: true }).waitFor();

  // The sign-in has become too old meanwhile.
  await panel.advance(6 * MINUTE);
  await page.getByRole("button", { name: "Publish" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Sign in again" }).click();
  await user.passIssuer("admin");
  await user.heading("Registration at Provider B");
  await page.getByRole("button", { name: "Publish" }).click();
  await page.getByRole("alert").getByText("The provider's addresses do not respond as they should.").waitFor();
  expect(await page.getByLabel("Token address").getAttribute("aria-invalid")).toBe("true");
  expect(await page.getByLabel("Consent page").getAttribute("aria-invalid")).not.toBe("true");

  // The right address, and the secret that was wrong, too: saved and published in one step.
  await page.getByLabel("Token address").fill(addresses.token);
  await page.getByRole("button", { name: "Save and publish" }).click();
  await page
    .getByText(/The client id or secret is refused/)
    .first()
    .waitFor();
  await page.getByRole("textbox", { name: "Client secret" }).fill(clientSecret);
  await page.getByRole("button", { name: "Save and publish" }).click();
  await page.getByText("Published", { exact: true }).first().waitFor();
  await page.getByText("A published registration is fixed").waitFor();
  await expect.poll(() => page.getByRole("textbox").count()).toBe(0);
  expect(await page.content()).not.toContain(clientSecret);

  await page.getByRole("button", { name: "Pause" }).click();
  await page
    .getByRole("dialog", { name: "Pause the registration at Provider B?" })
    .getByRole("button", { name: "Pause" })
    .click();
  await page.getByText("Paused", { exact: true }).waitFor();
  // Its secret is there and is not shown: neither in the field nor anywhere else.
  expect(await page.getByRole("textbox", { name: "Client secret" }).inputValue()).toBe("");
  await page.reload();
  await page.getByRole("textbox", { name: "Client secret" }).waitFor();
  expect(await page.content()).not.toContain(clientSecret);
  await user.goTo("Overview");
  await page.getByRole("link", { name: "Provider B: the registration is paused" }).click();
  await user.heading("Registrations");
  await page.getByRole("rowheader").getByRole("link", { name: "Provider B" }).click();
  await page.getByRole("button", { name: "Publish" }).click();
  await page.getByText("A published registration is fixed").waitFor();

  await page.getByRole("button", { name: "Disable" }).click();
  const dialog = page.getByRole("dialog", { name: "Disable the registration at Provider B?" });
  await dialog.getByText("No connection was made through it").waitFor();
  await dialog.getByLabel("Type Provider B to go on").fill("provider b");
  expect(await dialog.getByRole("button", { name: "Disable the registration" }).isDisabled()).toBe(true);
  await dialog.getByLabel("Type Provider B to go on").fill("Provider B");
  await dialog.getByRole("button", { name: "Disable the registration" }).click();
  await page.getByText("Disabled", { exact: true }).waitFor();
  expect(user.complaints).toEqual([]);
  await user.leave();
});
