/**
 * Measures the admin panel on a full database: each query, and each page in a browser. Starts a development
 * environment, fills it, and cleans up.
 *
 *     pnpm benchmark panel [rounds]
 */
import { DevPlace } from "../../../apps/server/src/dev/testing/devPlace.ts";
import { launchBrowser } from "../../../packages/testkit/src/index.ts";
import { fill, USUAL_AMOUNTS } from "./fill.ts";
import { measurePages } from "./pages.ts";
import { measureQueries } from "./queries.ts";
import { signIn } from "./signIn.ts";
import { measureSlowPages } from "./slowPages.ts";
import { describe, medianOf } from "./spread.ts";

/** Each takes several seconds. */
const SLOW_ROUNDS = 5;
/** The benchmark fails if the median is longer. */
const MOST_MS_TO_ROWS = 4_000;

async function main(rounds: number): Promise<void> {
  const place = await DevPlace.make(undefined, { hasPanel: true });
  const browser = await launchBrowser();
  try {
    const { dev } = await place.start();
    await fill(dev.databaseUrl, USUAL_AMOUNTS);
    console.log(
      Object.entries(USUAL_AMOUNTS)
        .map(([name, count]) => `${count} ${name}`)
        .join(", "),
    );
    const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
    const session = await signIn(context, dev.admin.panelUrl);
    for (const measured of await measureQueries(dev.admin.host, session, rounds)) console.log(describe(measured));
    for (const measured of await measureSlowPages(context, dev.admin.panelUrl, SLOW_ROUNDS)) {
      console.log(describe(measured));
      if (measured.name.endsWith("first row") && medianOf(measured) > MOST_MS_TO_ROWS) process.exitCode = 1;
    }
    for (const measured of await measurePages(context, dev.admin.panelUrl, rounds)) console.log(describe(measured));
  } finally {
    await browser.close();
    await place.clear();
  }
}

await main(Number(process.argv[2] ?? 40));
