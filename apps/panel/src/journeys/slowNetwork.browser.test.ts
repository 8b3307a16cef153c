import { expect } from "vitest";
import { expectNoViolations } from "./testing/accessibility.ts";
import { test } from "./testing/journey.ts";
import { loadSlowly } from "./testing/slowNetwork.ts";

/** Document, start script, data. */
const ROUND_TRIPS_TO_ROWS = 3;
/** The page's files follow the data, while the main file loads. */
const ROUND_TRIPS_TO_PANEL = 4;
/** Everything that these pages need before they can be used, without charts, with headers. */
const MOST_BYTES_TO_PANEL = 168_000;
const DATA = /^\/panel\/graphql$/;
const FILES = /^\/panel\/assets\//;
const CODE = /\/assets\/(?!start-).*\.js$/;

test.for([
  { path: "", row: "Nothing needs your attention", heading: "Overview" },
  { path: "/clients", row: "The client-0 app", heading: "Clients" },
])(
  "needs few round trips to the first row of /panel$path and to the panel, on a slow network",
  async ({ path, row, heading }, { panel, admin, page }) => {
    for (let i = 0; i < 50; i++) await panel.client(`client-${i}`);
    const rows = await loadSlowly(page, `${panel.url}/panel${path}`, page.getByText(row, { exact: true }));
    expect(rows.roundTripsTo(DATA)).toBe(ROUND_TRIPS_TO_ROWS);
    // The panel then shows the same page, and does not read again what was read for the first rows.
    const whole = await admin.page.context().newPage();
    const queries: string[] = [];
    whole.on("request", (request) => {
      if (request.url().endsWith("/graphql")) queries.push(/query (\w+)/.exec(request.postData() ?? "")?.[1] ?? "");
    });
    const menu = whole.getByRole("navigation", { name: "Pages" });
    const load = await loadSlowly(whole, `${panel.url}/panel${path}`, menu);
    expect(load.bytes).toBeLessThan(MOST_BYTES_TO_PANEL);
    expect(load.roundTripsTo(FILES)).toBeLessThanOrEqual(ROUND_TRIPS_TO_PANEL);
    expect(load.paths).not.toContain("/panel/session");
    await whole.getByRole("heading", { level: 1, name: heading }).waitFor();
    await whole.getByText(row, { exact: true }).waitFor();
    await whole.waitForLoadState("networkidle");
    expect(queries.length).toBeGreaterThan(0);
    expect(queries).toEqual([...new Set(queries)]);
  },
);

test("shows a frame, then the first rows, without the panel's code", async ({ panel, admin, page }) => {
  admin.expectsErrors = true;
  const { id, slug } = await panel.client("frame");
  await page.route(CODE, (route) => route.abort());
  await page.route("**/panel/graphql", (route) => route.abort());
  await admin.open("/clients");
  await page.getByRole("banner").getByText("Social Connect").waitFor();
  await page.getByRole("status").getByText("Loading").waitFor();
  await page.unroute("**/panel/graphql");
  await page.reload();
  await page.getByRole("heading", { level: 1, name: "Clients" }).waitFor();
  await page.getByRole("listitem").getByText(slug, { exact: true }).waitFor();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [320, 390, 1_440]) {
      await page.setViewportSize({ width, height: 800 });
      await expectNoViolations(page, `the first rows, ${width}, ${colorScheme}`);
    }
  }
  const link = page.getByRole("link", { name: "The frame app" });
  expect(await link.getAttribute("href")).toBe(`/panel/clients/${id}`);
});

test("shows names as text in the first rows", async ({ panel, admin, page }) => {
  admin.expectsErrors = true;
  const name = '</script><img src=x onerror="document.title=1">';
  const { id } = await panel.client("markup");
  await panel.service.prisma.application.update({ where: { id }, data: { displayName: name } });
  await page.route(CODE, (route) => route.abort());
  await admin.open("/clients");
  await page.getByRole("link", { name }).waitFor();
  expect(await page.locator("main img").count()).toBe(0);
});

test("reads the session when the page has none, as after a link on another site", async ({ panel, admin, page }) => {
  await panel.client("strict");
  await page.route("**/panel/clients", async (route) => {
    const response = await route.fetch({ headers: { ...route.request().headers(), cookie: "" } });
    await route.fulfill({ response });
  });
  const session = page.waitForRequest("**/panel/session");
  await admin.open("/clients");
  await session;
  await page.getByRole("link", { name: "The strict app" }).waitFor();
});

test("reads a list again when it is opened later", async ({ panel, admin, page }) => {
  await panel.client("early");
  await admin.open("/clients");
  await page.getByRole("link", { name: "The early app" }).waitFor();
  await admin.goTo("Health");
  await panel.client("late");
  await page.clock.install();
  await page.clock.fastForward(60_000);
  await admin.goTo("Clients");
  await page.getByRole("link", { name: "The late app" }).waitFor();
});
