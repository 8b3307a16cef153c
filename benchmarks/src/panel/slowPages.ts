import { loadSlowly } from "../../../apps/panel/src/journeys/testing/slowNetwork.ts";
import type { BrowserContext } from "../../../packages/testkit/src/index.ts";
import type { Measured } from "./spread.ts";

const PAGES = ["", "/clients"];

/** Opens each page without a cache on a network with 400 ms of latency and 50 kB/s: until its first row, and until its menu. */
export async function measureSlowPages(
  context: BrowserContext,
  panelUrl: string,
  rounds: number,
): Promise<readonly Measured[]> {
  const measured: Measured[] = [];
  for (const path of PAGES) {
    const rows: number[] = [];
    const menu: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const page = await context.newPage();
      const { ms } = await loadSlowly(page, panelUrl + path, page.getByRole("main").locator("li, tbody tr").first());
      rows.push(ms);
      await page.getByRole("navigation", { name: "Pages" }).waitFor();
      menu.push(await page.evaluate<number>("performance.now()"));
      await page.close();
    }
    measured.push({ name: `slow network, /panel${path}, first row`, took: rows });
    measured.push({ name: `slow network, /panel${path}, whole panel`, took: menu });
  }
  return measured;
}
