import type { BrowserContext, Page } from "../../../packages/testkit/src/index.ts";
import type { Measured } from "./spread.ts";

/** Each page, and an element that is visible when the page is usable. */
const PAGES: readonly { readonly path: string; readonly isThere: (page: Page) => Promise<unknown> }[] = [
  { path: "/", isThere: (page) => page.getByRole("heading", { name: "Needs attention" }).waitFor() },
  { path: "/clients", isThere: (page) => page.getByRole("cell").first().waitFor() },
  { path: "/registrations", isThere: (page) => page.getByRole("cell").first().waitFor() },
  { path: "/api-keys", isThere: (page) => page.getByRole("cell").first().waitFor() },
  { path: "/admins", isThere: (page) => page.getByRole("cell").first().waitFor() },
  { path: "/audit", isThere: (page) => page.getByRole("cell").first().waitFor() },
  {
    path: "/audit?client=filled-00008",
    isThere: (page) => page.getByRole("cell").first().waitFor(),
  },
  { path: "/health", isThere: (page) => page.getByRole("heading", { name: "Jobs" }).waitFor() },
];

/** Opens each page so often by its address: the document, the session, the page's code and its queries. A first time is not counted. */
export async function measurePages(context: BrowserContext, panelUrl: string, rounds: number): Promise<Measured[]> {
  const page = await context.newPage();
  const measured: Measured[] = [];
  for (const { path, isThere } of PAGES) {
    const took: number[] = [];
    for (let round = -1; round < rounds; round++) {
      await page.goto("about:blank");
      const begin = performance.now();
      await page.goto(panelUrl + path, { waitUntil: "commit" });
      await isThere(page);
      if (round >= 0) took.push(performance.now() - begin);
    }
    measured.push({ name: `page ${path}`, took });
  }
  await page.close();
  return measured;
}
