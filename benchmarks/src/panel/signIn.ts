import type { BrowserContext } from "../../../packages/testkit/src/index.ts";

export interface PanelSession {
  readonly cookie: string;
  readonly csrfToken: string;
}

/** Signs in to the panel at the simulated issuer, as the admin of a development environment. */
export async function signIn(context: BrowserContext, panelUrl: string): Promise<PanelSession> {
  const page = await context.newPage();
  await page.goto(panelUrl);
  await page.getByRole("link", { name: "Sign in" }).click();
  await page.locator('input[name="person"][value="admin"]').check();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  const answer = await page.request.get(`${panelUrl}/session`);
  const { csrfToken } = (await answer.json()) as { csrfToken: string };
  const cookies = await context.cookies(panelUrl);
  await page.close();
  return { cookie: cookies.map(({ name, value }) => `${name}=${value}`).join("; "), csrfToken };
}
