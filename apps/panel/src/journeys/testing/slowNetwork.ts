import type { Locator, Page } from "@social-connect/testkit";

/** A poor mobile connection: 400 ms until a response begins, and 50 kB/s for all responses together. */
const LATENCY_MS = 400;
const BYTES_PER_SECOND = 50_000;

/** What had been requested when an element was seen. A busy machine sees it late, after requests that it did not need. */
export interface SlowLoad {
  /** From the start of the navigation. */
  readonly ms: number;
  /** What had been transferred, with headers. */
  readonly bytes: number;
  readonly paths: readonly string[];
  /**
   * The longest sequence of requests that ends with one of these paths, of which each began after the end of the previous
   * one.
   */
  roundTripsTo(path: RegExp): number;
}

interface Transfer {
  readonly path: string;
  readonly beganAt: number;
  readonly endedAt: number | null;
  readonly bytes: number;
}

/** Opens a page on a slow network without a cache and waits for an element. The page's network stays slow. */
export async function loadSlowly(page: Page, url: string, element: Locator): Promise<SlowLoad> {
  const transfers = await observeSlowly(page);
  await page.goto(url, { waitUntil: "commit" });
  await element.waitFor();
  const loaded = transfers();
  return {
    ms: Math.round(await page.evaluate<number>("performance.now()")),
    bytes: loaded.reduce((sum, { bytes }) => sum + bytes, 0),
    paths: loaded.map(({ path }) => path),
    roundTripsTo: (path) => longestChain(loaded, path),
  };
}

async function observeSlowly(page: Page): Promise<() => readonly Transfer[]> {
  const session = await page.context().newCDPSession(page);
  const transfers = new Map<string, Transfer>();
  const change = (id: string, changed: (transfer: Transfer) => Partial<Transfer>) => {
    const transfer = transfers.get(id);
    if (transfer !== undefined) transfers.set(id, { ...transfer, ...changed(transfer) });
  };
  session.on("Network.requestWillBeSent", ({ requestId, request, timestamp }) => {
    const path = new URL(request.url).pathname;
    transfers.set(requestId, { path, beganAt: timestamp, endedAt: null, bytes: 0 });
  });
  session.on("Network.dataReceived", ({ requestId, encodedDataLength }) => {
    change(requestId, ({ bytes }) => ({ bytes: bytes + encodedDataLength }));
  });
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength, timestamp }) => {
    change(requestId, () => ({ bytes: encodedDataLength, endedAt: timestamp }));
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

/** Parallel requests overlap, because each takes at least the latency. */
function longestChain(transfers: readonly Transfer[], path: RegExp): number {
  const ended = transfers.filter(({ endedAt }) => endedAt !== null);
  const lengthTo = (last: Transfer): number =>
    1 + Math.max(0, ...ended.filter(({ endedAt }) => (endedAt ?? 0) <= last.beganAt).map(lengthTo));
  return Math.max(0, ...transfers.filter((transfer) => path.test(transfer.path)).map(lengthTo));
}
