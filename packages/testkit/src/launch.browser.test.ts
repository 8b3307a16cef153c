import { createServer } from "node:http";
import { expect, test } from "vitest";
import { launchBrowser } from "./browser.ts";

test("a page is opened in a real browser that keeps the same-origin policy", async () => {
  const page = (body: string) =>
    createServer((_, response) => response.setHeader("content-type", "text/html").end(body));
  const own = page("<h1>Own page</h1>").listen(0, "127.0.0.1");
  const foreign = page("<h1>Foreign page</h1>").listen(0, "127.0.0.1");
  const browser = await launchBrowser();
  try {
    const tab = await browser.newPage();
    await tab.goto(addressOf(own));
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
    expect(await read(addressOf(foreign))).toBe("refused");
    expect(await read(addressOf(own))).toBe("read");
  } finally {
    await browser.close();
    own.close();
    foreign.close();
  }
});

function addressOf(server: ReturnType<typeof createServer>): string {
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the server does not listen");
  return `http://127.0.0.1:${address.port}/`;
}
