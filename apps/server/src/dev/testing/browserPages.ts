import type { BrowserContext, Page } from "@social-connect/testkit";
import type { ShownProvider, Visitor } from "../../../../../packages/testkit/src/harness/visitor.ts";

/** A page with the given HTML, shown at `address`, without headers. */
export async function servePage(context: BrowserContext, address: string, body: string): Promise<Page> {
  const page = await context.newPage();
  await page.route(address, (route) => route.fulfill({ contentType: "text/html", body }));
  await page.goto(address);
  return page;
}

/** The example's launch page as HTML, before its form is submitted; needs a browser without scripts. */
export async function catchLaunchPage(visitor: Visitor, provider: ShownProvider): Promise<string> {
  await visitor.connectButton(provider).click();
  await visitor.page.getByRole("button", { name: "Continue" }).waitFor();
  return visitor.page.content();
}
