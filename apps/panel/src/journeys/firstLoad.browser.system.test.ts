import { sampled } from "@social-connect/testkit";
import { expect } from "vitest";
import { createRecords, pathOf, TITLES } from "./testing/everyPage.ts";
import { test } from "./testing/journey.ts";

/** What a page may load until its network is idle, as a browser receives it, with headers. Set with 5 % of room over 231,871. */
const BUDGET_BYTES = 243_000;
const TIMEOUT_MS = 300_000;

test("the first load of each page stays within its budget", { timeout: TIMEOUT_MS }, async ({ panel, admin, page }) => {
  const session = await page.context().newCDPSession(page);
  const files = new Set<string>();
  let bytes = 0;
  session.on("Network.requestWillBeSent", ({ requestId, request }) => {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith("/panel") && !/\/(?:session|graphql)$/.test(pathname)) files.add(requestId);
  });
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (files.has(requestId)) bytes += encodedDataLength;
  });
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  const records = await createRecords(panel);
  const loads: { readonly page: string; readonly bytes: number }[] = [];
  for (const [route, title] of sampled(Object.entries(TITLES), 0, 3)) {
    bytes = 0;
    await admin.open(pathOf(route, records));
    await admin.heading(title);
    await page.waitForLoadState("networkidle");
    loads.push({ page: route, bytes });
  }
  const [largest = { page: "", bytes: 0 }] = loads.toSorted((one, other) => other.bytes - one.bytes);
  expect(largest.bytes).toBeGreaterThan(100_000);
  expect(
    largest.bytes,
    `${largest.page} loads ${largest.bytes} bytes: load what is shown on request with <LazyPart>, or give BUDGET_BYTES 5 % of room and the reason`,
  ).toBeLessThanOrEqual(BUDGET_BYTES);
});
