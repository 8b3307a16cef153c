/** @module-tag nightly */
import type { Page } from "@social-connect/testkit";
import { expect } from "vitest";
import { expectNoViolations } from "./testing/accessibility.ts";
import { test } from "./testing/journey.ts";

/** A poor mobile connection: 400 ms until a response begins, and 50 kB/s for all responses together. */
const LATENCY_MS = 400;
const BYTES_PER_SECOND = 50_000;

interface Transfer {
  readonly path: string;
  /** In seconds since 1970, as the other times. */
  readonly beganAt: number;
  /** Infinity until then. */
  endedAt: number;
  /** With headers, once it has ended. */
  bytes: number;
  readonly chunks: { readonly at: number; readonly bytes: number }[];
}

/**
 * Opens a page on a slow network without a cache and waits for a text. The page's network stays slow. Returns what had been
 * requested when the page showed the text, by the page's own clock: a busy machine sees it later.
 */
async function loadSlowly(page: Page, url: string, text: string) {
  const transfers = await observeSlowly(page);
  await page.addInitScript(noteWhenShown, text);
  await page.goto(url, { waitUntil: "commit" });
  await page.getByText(text, { exact: true }).waitFor();
  const shownAt = await page.evaluate<number>("window.shownAt");
  const begun = transfers().filter(({ beganAt }) => beganAt <= shownAt);
  const bytesOf = ({ endedAt, bytes, chunks }: Transfer) =>
    endedAt <= shownAt ? bytes : chunks.filter(({ at }) => at <= shownAt).reduce((sum, chunk) => sum + chunk.bytes, 0);
  return { bytes: begun.reduce((sum, transfer) => sum + bytesOf(transfer), 0), roundTrips: longestChain(begun, DATA) };
}

/** Runs in the page. */
function noteWhenShown(text: string): void {
  const note = () => {
    if (!document.body?.textContent.includes(text)) return;
    Object.assign(window, { shownAt: (performance.timeOrigin + performance.now()) / 1_000 });
    observer.disconnect();
  };
  const observer = new MutationObserver(note);
  observer.observe(document, { childList: true, subtree: true, characterData: true });
}

async function observeSlowly(page: Page): Promise<() => readonly Transfer[]> {
  const session = await page.context().newCDPSession(page);
  const transfers = new Map<string, Transfer>();
  // Events have the time of another clock, which begins anywhere.
  let clockBeganAt = 0;
  session.on("Network.requestWillBeSent", ({ requestId, request, timestamp, wallTime }) => {
    clockBeganAt = wallTime - timestamp;
    const path = new URL(request.url).pathname;
    transfers.set(requestId, { path, beganAt: wallTime, endedAt: Number.POSITIVE_INFINITY, bytes: 0, chunks: [] });
  });
  session.on("Network.dataReceived", ({ requestId, encodedDataLength, timestamp }) => {
    transfers.get(requestId)?.chunks.push({ at: clockBeganAt + timestamp, bytes: encodedDataLength });
  });
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength, timestamp }) => {
    const transfer = transfers.get(requestId);
    if (transfer !== undefined)
      Object.assign(transfer, { bytes: encodedDataLength, endedAt: clockBeganAt + timestamp });
  });
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: LATENCY_MS,
    downloadThroughput: BYTES_PER_SECOND,
    uploadThroughput: BYTES_PER_SECOND,
  });
  return () => [...transfers.values()];
}

/**
 * The longest sequence of requests that ends with such a path, of which each began after the end of the previous one. Parallel
 * requests overlap, because each takes at least the latency.
 */
function longestChain(transfers: readonly Transfer[], path: RegExp): number {
  const lengthTo = (last: Transfer): number =>
    1 + Math.max(0, ...transfers.filter(({ endedAt }) => endedAt <= last.beganAt).map(lengthTo));
  return Math.max(0, ...transfers.filter((transfer) => path.test(transfer.path)).map(lengthTo));
}

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
    expect(load.roundTrips).toBe(ROUND_TRIPS_TO_ROWS);
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
