import type { BrowserContext, Page } from "@social-connect/testkit";
import type { ShownProvider, Visitor } from "./visitor.ts";

/** A page of the given text, shown as if it came from `address`, with no headers of its own. */
export async function servePage(context: BrowserContext, address: string, body: string): Promise<Page> {
  const page = await context.newPage();
  await page.route(address, (route) => route.fulfill({ contentType: "text/html", body }));
  await page.goto(address);
  return page;
}

/** The example's launch page as text, its form not yet sent; needs a browser without scripts. */
export async function catchLaunchPage(visitor: Visitor, provider: ShownProvider): Promise<string> {
  await visitor.connectButton(provider).click();
  await visitor.page.getByRole("button", { name: "Continue" }).waitFor();
  return visitor.page.content();
}
