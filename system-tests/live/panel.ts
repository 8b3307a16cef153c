import type { SimulatorRegistration } from "../../apps/simulator/src/index.ts";
import type { SocialProvider } from "../../packages/contract/src/index.ts";
import type { Browser, Page } from "../../packages/testkit/src/index.ts";

const APPLICATION_KEY = /^[0-9a-f-]{36}\.[0-9a-f]{64}$/;

export type PanelAdmin = Awaited<ReturnType<typeof signInToPanel>>;

/** An admin in a browser, who does what the panel's guide says. Signs in at the issuer of the page on OpenID providers. */
export async function signInToPanel(browser: Browser, url: string, email: string) {
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${url}/panel`);
  await page.getByRole("link", { name: "Sign in" }).click();
  await passIssuer(page, email);
  await page.getByRole("navigation", { name: "Pages", exact: true }).waitFor();

  /** Enters what the provider issued and publishes it. The page shows the given addresses, to register at the provider. */
  const publish = async (
    provider: SocialProvider,
    { clientId, clientSecret, addresses }: SimulatorRegistration,
    shown: Iterable<string>,
  ): Promise<void> => {
    await page.goto(`${url}/panel/registrations/new?provider=${provider}`);
    for (const address of shown) await page.getByText(address, { exact: true }).waitFor();
    await page.getByLabel("Client id").fill(clientId);
    await page.getByRole("textbox", { name: "Client secret" }).fill(clientSecret);
    await page.getByLabel("Authorization URL").fill(addresses.authorization);
    await page.getByLabel("Token URL").fill(addresses.token);
    if (addresses.revocation !== undefined) await page.getByLabel("Revocation URL").fill(addresses.revocation);
    await page.getByLabel("API base URL").fill(addresses.api);
    await page.getByRole("button", { name: "Save as draft" }).click();
    await page.getByRole("button", { name: "Publish" }).click();
    await page.getByText("A published registration is read-only").waitFor();
  };

  /** Creates a client, allows the identity sign-in, and leaves its page open. */
  const createClient = async (values: Record<"name" | "origin" | "tenantKey" | "identityReturnUrl", string>) => {
    const next = () => page.getByRole("button", { name: "Continue" }).click();
    await page.goto(`${url}/panel/clients/new`);
    await page.getByRole("textbox", { name: "Name" }).fill(values.name);
    await next();
    await page.getByRole("textbox", { name: "Origins" }).fill(values.origin);
    await next();
    await page.getByRole("textbox", { name: "Return URLs" }).fill(`${values.origin}/return`);
    await page.getByRole("checkbox", { name: /^None of these routes/ }).check();
    await next();
    await page.getByRole("textbox", { name: "Tenant keys" }).fill(values.tenantKey);
    await next();
    await page.getByRole("checkbox", { name: "PROVIDER_A" }).waitFor();
    await next();
    await page.getByRole("button", { name: "Create client" }).click();
    await page.getByRole("link", { name: "Identity", exact: true }).click();
    await page.getByLabel("New identity return URL").fill(values.identityReturnUrl);
    await page.getByRole("button", { name: "Add" }).click();
    await page.getByRole("listitem").filter({ hasText: values.identityReturnUrl }).waitFor();
    await page.getByRole("switch", { name: "Allow the application to sign users in" }).click();
    await page.getByText("The identity sign-in was turned on.").waitFor();
  };

  /** Issues a key of the client whose page is open: the first, or the second of a rotation. */
  const issueKey = async (link: "Issue a key" | "Rotate the key"): Promise<string> => {
    await page.getByRole("link", { name: "Keys", exact: true }).click();
    await page.getByRole("link", { name: link }).click();
    await page.getByRole("button", { name: "Issue key" }).click();
    const key = (await page.getByText(APPLICATION_KEY).textContent()) ?? "";
    await page.getByRole("button", { name: "I have saved it" }).click();
    return key;
  };

  /** Revokes an old key once the page says that the new one is in use; it does not wait until the old one is silent for an hour. */
  const revokeKey = async (key: string): Promise<void> => {
    const shown = key.slice(0, 8);
    await page.getByText("The new key is in use.").waitFor();
    await page.getByRole("row").filter({ hasText: shown }).getByRole("button", { name: "Revoke" }).click();
    const dialog = page.getByRole("dialog", { name: `Revoke key ${shown}?` });
    await dialog.getByRole("textbox").fill(shown);
    await dialog.getByRole("button", { name: "Revoke key" }).click();
    await dialog.waitFor({ state: "detached" });
  };

  return { publish, createClient, issueKey, revokeKey };
}

/** The pages of the issuer: a name, and a consent at the first time. */
export async function passIssuer(page: Page, email: string): Promise<void> {
  await page.locator("input[name=login]").fill(email);
  await page.locator("input[name=password]").fill("any");
  await page.getByRole("button", { name: "Sign-in" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
}
