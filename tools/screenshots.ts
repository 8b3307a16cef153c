/**
 * Takes the pictures in docs/images: starts a development environment, goes through it as a user would, and captures
 * the pages.
 *
 *     pnpm --filter ./apps/docs screenshots [--port N]               the pictures of the documentation
 *     pnpm --filter ./apps/docs screenshots --all DIR [--port N]     every page, wide and narrow, light and dark, for review
 *     pnpm --filter ./apps/docs screenshots --only panel             the scenes whose name starts with this, and the steps they need
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { DEFAULT_FIRST_PORT } from "../apps/server/src/dev/ports.ts";
import { DevPlace } from "../apps/server/src/dev/testing/devPlace.ts";
import { launchBrowser, type Page } from "../packages/testkit/src/index.ts";
import { SCENES } from "./screenshotScenes.ts";

const IMAGES = fileURLToPath(new URL("../docs/images/", import.meta.url));
/** What a page of the documentation can carry. */
const MOST_BYTES = 300_000;

interface Appearance {
  readonly name: string;
  readonly colorScheme: "light" | "dark";
  readonly viewport: { readonly width: number; readonly height: number };
}

const WIDE = { width: 1180, height: 820 };
/** Pages that show what they are about only further down. */
const HEIGHTS: Readonly<Record<string, number>> = { gallery: 890, "consent-pane": 1_010 };
const NARROW = { width: 390, height: 844 };
const APPEARANCES: readonly Appearance[] = [
  { name: "wide-light", colorScheme: "light", viewport: WIDE },
  { name: "wide-dark", colorScheme: "dark", viewport: WIDE },
  { name: "narrow-light", colorScheme: "light", viewport: NARROW },
  { name: "narrow-dark", colorScheme: "dark", viewport: NARROW },
];

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { port: { type: "string" }, all: { type: "string" }, only: { type: "string" } },
  });
  // A fixed port, because pages show it.
  const place = await DevPlace.make(Number(values.port ?? DEFAULT_FIRST_PORT), { hasPanel: true });
  const browser = await launchBrowser();
  try {
    const { dev } = await place.start("--clock");
    for (const scene of SCENES) {
      if (!scene.name.startsWith(values.only ?? "")) continue;
      if (values.all === undefined && scene.looks.length === 0) continue;
      const javaScriptEnabled = scene.name !== "launch";
      // Pictures do not depend on the machine's locale.
      const context = await browser.newContext({ viewport: WIDE, locale: "en-US", javaScriptEnabled });
      const page = await context.newPage();
      await scene.go(page, dev, place);
      const looks = APPEARANCES.filter(({ name }) => values.all !== undefined || scene.looks.includes(name));
      for (const look of looks) await keep(page, scene.name, look, values.all ?? null);
      await context.close();
    }
  } finally {
    await browser.close();
    await place.clear();
  }
}

async function keep(page: Page, scene: string, { name, colorScheme, viewport }: Appearance, all: string | null) {
  await page.setViewportSize({ ...viewport, height: HEIGHTS[scene] ?? viewport.height });
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  const images =
    "Promise.all([...document.images].map((image) => { image.loading = 'eager'; return image.decode().catch(() => 0); }))";
  await page.evaluate(images).catch(() => undefined);
  const picture = await page.screenshot({ type: "png", fullPage: all !== null, animations: "disabled" });
  if (all === null && picture.length > MOST_BYTES) throw new Error(`${scene}-${name}.png has ${picture.length} bytes`);
  const folder = all ?? IMAGES;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${scene}-${name}.png`), picture);
  console.log(`${scene}-${name}.png  ${Math.round(picture.length / 1024)} kB`);
}

main().catch((error: Error) => {
  console.error(error);
  process.exitCode = 1;
});
