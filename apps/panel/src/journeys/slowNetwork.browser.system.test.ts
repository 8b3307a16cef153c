import { expect } from "vitest";
import { expectNoViolations } from "./testing/accessibility.ts";
import { test } from "./testing/journey.ts";
import { loadSlowly } from "./testing/slowNetwork.ts";

/** Document, main file, session beside the page's file, data. */
const ROUND_TRIPS_TO_ROWS = 4;
/** Everything that these pages need before they can be used, without charts, with headers. */
const MOST_BYTES_TO_PANEL = 168_000;
const DATA = /^\/panel\/graphql$/;
const CODE = /\/assets\/.*\.js$/;

test.for([
  { path: "", row: "Nothing needs your attention", heading: "Overview" },
  { path: "/clients", row: "The client-0 app", heading: "Clients" },
])(
  "needs few round trips and bytes to the first row of /panel$path, on a slow network",
  async ({ path, row, heading }, { panel, admin, page }) => {
    for (let i = 0; i < 50; i++) await panel.client(`client-${i}`);
    const queries: string[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/graphql")) queries.push(/query (\w+)/.exec(request.postData() ?? "")?.[1] ?? "");
    });
    const load = await loadSlowly(page, `${panel.url}/panel${path}`, row);
    expect(load.roundTripsTo(DATA)).toBe(ROUND_TRIPS_TO_ROWS);
    expect(load.bytes).toBeLessThan(MOST_BYTES_TO_PANEL);
    await admin.heading(heading);
    await page.waitForLoadState("networkidle");
    expect(queries.length).toBeGreaterThan(0);
    expect(queries).toEqual([...new Set(queries)]);
  },
);

test("shows a frame until the panel's code has loaded", async ({ admin, page }) => {
  admin.expectsErrors = true;
  await page.route(CODE, (route) => route.abort());
  await admin.open("/clients");
  await page.getByRole("banner").getByText("Social Connect").waitFor();
  await page.getByRole("status").getByText("Loading").waitFor();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [320, 390, 1_440]) {
      await page.setViewportSize({ width, height: 800 });
      await expectNoViolations(page, `the frame, ${width}, ${colorScheme}`);
    }
  }
});

test("reads the session after a link on another site, with which a browser sends no cookie", async ({
  panel,
  admin,
  page,
}) => {
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
