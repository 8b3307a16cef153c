import { afterAll, beforeAll, expect, test } from "vitest";
import { overflowOf, violationsOf } from "./accessibility.ts";
import { launchBrowser } from "./browser.ts";

let browser: Awaited<ReturnType<typeof launchBrowser>>;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

test("finds a violation, and none once it is repaired", async () => {
  const page = await browser.newPage();
  await page.setContent('<html lang="en"><title>Page</title><main><h1>Page</h1><img src="data:,"></main></html>');
  expect(await violationsOf(page)).toEqual([expect.stringMatching(/^image-alt: <img src="data:,"> /)]);
  expect(await violationsOf(page, { rules: ["color-contrast"] })).toEqual([]);
  await page.evaluate("void (document.images[0].alt = 'A picture')");
  expect(await violationsOf(page)).toEqual([]);
});

test("measures by how much a page is wider than its window", async () => {
  const page = await browser.newPage({ viewport: { width: 400, height: 300 } });
  await page.setContent('<body style="margin: 0"><div style="width: 450px">Wide</div>');
  expect(await overflowOf(page)).toBe(50);
});
