import { type Browser, launchBrowser, overflowOf, violationsOf } from "@social-connect/testkit";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { post } from "../../testing/post.ts";
import { type ServeOptions, serveMock } from "../serve.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
  return () => browser.close();
});

async function open(options: ServeOptions = {}) {
  const { mock, url, close } = await serveMock(options);
  onTestFinished(close);
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  const hosts = new Set<string>();
  const messages: string[] = [];
  page.on("request", (request) => hosts.add(new URL(request.url()).host));
  page.on("console", (message) => messages.push(message.text()));
  await page.goto(url);
  return { mock, url, page, hosts, messages };
}

test("a developer moves the clock, breaks and repairs an operation, and resets, without a script", async () => {
  const { mock, page, hosts, messages } = await open({ now: "2026-03-01T09:00:00Z", scenario: "connected" });
  await page.getByRole("button", { name: "Advance 1 hour" }).click();
  await expect.poll(() => page.locator("time").textContent()).toMatch(/^2026-03-01T10:00:00/);

  await page.getByLabel("Operation").selectOption("connections");
  await page.getByLabel("Effect").selectOption("code RATE_LIMITED");
  await page.getByRole("button", { name: "Add fault", exact: true }).click();
  await page.getByRole("button", { name: "Remove the fault of connections" }).waitFor();
  const query = `{ connections(scope: { tenantKey: "acme", externalSubjectId: "user-1" }) { items { status } } }`;
  expect(await (await post(mock, query)).text()).toContain("RATE_LIMITED");
  await page.getByRole("link", { name: "Reload" }).click();
  await page.getByRole("cell", { name: "RATE_LIMITED" }).waitFor();
  expect(await page.getByText("Active faults: none.").count()).toBe(1);

  await page.getByLabel("Failure").selectOption("unavailable");
  await page.getByRole("button", { name: "Add fault of the provider" }).click();
  await page.getByRole("button", { name: "Clear all faults" }).click();
  await page.getByText("Active faults: none.").waitFor();

  await page.getByLabel("Advance by").fill("soon");
  await page.getByRole("button", { name: "Advance", exact: true }).click();
  expect(await page.getByRole("alert").textContent()).toContain('"soon" is not a duration.');

  await page.getByRole("button", { name: "Reset the mock" }).click();
  await page.getByText("Connections: none.").waitFor();
  expect(mock.connections()).toEqual([]);
  expect([...hosts]).toEqual([new URL(page.url()).host]);
  // The browser reports the page of the invalid duration, and nothing that the page's policy would have blocked.
  expect(messages).toEqual([expect.stringContaining("400 (Bad Request)")]);
});

test("has no accessibility violations, in light and dark, and no horizontal scrolling", async () => {
  const { mock, page } = await open({ scenario: "connected-everywhere" });
  mock.faults.always("content", { status: 503 });
  mock.providerFaults.add("PROVIDER_A", "list", { status: 503 });
  await post(mock, "{ status { ok } }");
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.reload();
    expect([colorScheme, await violationsOf(page)]).toEqual([colorScheme, []]);
  }
  for (const width of [320, 640, 1440]) {
    await page.setViewportSize({ width, height: 700 });
    expect([width, await overflowOf(page)]).toEqual([width, 0]);
  }
});

test("a page of another origin cannot post its forms", async () => {
  const { mock, url } = await open();
  const token = await (async () => {
    const text = await (await fetch(url)).text();
    return /name="token" value="([\w-]+)"/.exec(text)?.[1] ?? "";
  })();
  // Even with the token.
  const { page } = await open();
  const attack = `<form method="post" action="${url}/"><input name="token" value="${token}"><input name="command" value="POST clock/advance"><input name="by" value="1h"><button>Go</button></form>`;
  await page.route("http://elsewhere.test/", (route) => route.fulfill({ contentType: "text/html", body: attack }));
  await page.goto("http://elsewhere.test/");
  const before = mock.clock.date();
  const [response] = await Promise.all([
    page.waitForResponse((one) => one.url() === `${url}/`),
    page.getByRole("button").click(),
  ]);
  expect([token.length, response.status(), mock.clock.date()]).toEqual([22, 403, before]);
});
