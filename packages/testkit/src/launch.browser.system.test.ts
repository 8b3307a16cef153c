import { expect, test } from "vitest";
import { launchBrowser } from "./browser.ts";
import { serve } from "./serve.ts";

test("a page is opened in a real browser that keeps the same-origin policy", async () => {
  const page = (body: string) => serve((_, response) => void response.setHeader("content-type", "text/html").end(body));
  const [own, foreign] = await Promise.all([page("<h1>Own page</h1>"), page("<h1>Foreign page</h1>")]);
  const browser = await launchBrowser();
  try {
    const tab = await browser.newPage();
    await tab.goto(own.url);
    expect(await tab.locator("h1").textContent()).toBe("Own page");
    // Fonts are bundled with the browser: without any installed font, text would have no width.
    const { width = 0, height = 0 } = (await tab.locator("h1").boundingBox()) ?? {};
    expect(width).toBeGreaterThan(0);
    expect(height).toBeGreaterThan(0);
    const read = (address: string) =>
      tab.evaluate(
        (url) =>
          fetch(url).then(
            () => "read",
            () => "refused",
          ),
        address,
      );
    expect(await read(foreign.url)).toBe("refused");
    expect(await read(own.url)).toBe("read");
  } finally {
    await browser.close();
    await own.close();
    await foreign.close();
  }
});
