/**
 * Takes the pictures in docs/images: starts a development environment, goes through it as a user would, and captures
 * the pages.
 *
 *     pnpm --filter ./apps/docs screenshots [--port N]               the pictures of the documentation
 *     pnpm --filter ./apps/docs screenshots --all DIR [--port N]     every page at three widths, light, dark and with forced colors, for review
 *     pnpm --filter ./apps/docs screenshots --only panel             the scenes whose name starts with this, and the steps they need
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { DevPlace } from "../packages/testkit/src/harness/devPlace.ts";
import { launchBrowser, type Page } from "../packages/testkit/src/index.ts";
import { SCENES } from "./screenshotScenes.ts";

const IMAGES = fileURLToPath(new URL("../docs/images/", import.meta.url));
/** The default of `social-connect dev`, which pages show. */
const SHOWN_PORT = 4400;
/** What a page of the documentation can carry. */
const MOST_BYTES = 300_000;

interface Appearance {
  readonly name: string;
  readonly colorScheme: "light" | "dark";
  readonly forcedColors: "none" | "active";
  readonly viewport: { readonly width: number; readonly height: number };
}

const WIDE = { width: 1180, height: 820 };
/** Pages that show what they are about only further down. */
const HEIGHTS: Readonly<Record<string, number>> = { gallery: 890, "consent-pane": 1_010 };
const NARROW = { width: 390, height: 844 };
const COLORS = [
  { name: "light", colorScheme: "light", forcedColors: "none" },
  { name: "dark", colorScheme: "dark", forcedColors: "none" },
  { name: "forced", colorScheme: "dark", forcedColors: "active" },
] as const;

function appearances(viewports: Readonly<Record<string, Appearance["viewport"]>>): readonly Appearance[] {
  return Object.entries(viewports).flatMap(([width, viewport]) =>
    COLORS.map((colors) => ({ ...colors, name: `${width}-${colors.name}`, viewport })),
  );
}

const SHOWN = appearances({ wide: WIDE, narrow: NARROW });
const REVIEWED = appearances({
  390: NARROW,
  768: { width: 768, height: 1_024 },
  1440: { width: 1_440, height: 900 },
});

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { port: { type: "string" }, all: { type: "string" }, only: { type: "string" } },
  });
  const scenes = SCENES.filter(({ name }) => name.startsWith(values.only ?? ""));
  if (scenes.length === 0) throw new Error(`no scene's name starts with ${values.only}`);
  const place = await DevPlace.make(Number(values.port ?? SHOWN_PORT), { hasPanel: true });
  const browser = await launchBrowser();
  try {
    const { dev } = await place.start("--clock");
    for (const scene of scenes) {
      if (values.all === undefined && scene.looks.length === 0) continue;
      const javaScriptEnabled = scene.name !== "launch";
      // Pictures do not depend on the machine's locale.
      const context = await browser.newContext({ viewport: WIDE, locale: "en-US", javaScriptEnabled });
      const page = await context.newPage();
      await scene.go(page, dev, place);
      const looks = values.all === undefined ? SHOWN.filter(({ name }) => scene.looks.includes(name)) : REVIEWED;
      for (const look of looks) await keep(page, scene.name, look, values.all ?? null);
      await context.close();
    }
  } finally {
    await browser.close();
    await place.clear();
  }
}

async function keep(page: Page, scene: string, look: Appearance, all: string | null) {
  const { name, colorScheme, forcedColors, viewport } = look;
  await page.setViewportSize({ ...viewport, height: HEIGHTS[scene] ?? viewport.height });
  await page.emulateMedia({ colorScheme, forcedColors, reducedMotion: "reduce" });
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
