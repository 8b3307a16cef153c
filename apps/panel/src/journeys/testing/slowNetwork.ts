import type { Page } from "@social-connect/testkit";

/** A poor mobile connection: 400 ms until a response begins, and 50 kB/s for all responses together. */
const LATENCY_MS = 400;
const BYTES_PER_SECOND = 50_000;

/** What had been requested when a page showed a text, by the page's own clock: a busy machine sees it later. */
export interface SlowLoad {
  /** What had been transferred, with headers. */
  readonly bytes: number;
  /**
   * The longest sequence of requests that ends with one of these paths, of which each began after the end of the previous
   * one.
   */
  roundTripsTo(path: RegExp): number;
}

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

/** Opens a page on a slow network without a cache and waits for a text. The page's network stays slow. */
export async function loadSlowly(page: Page, url: string, text: string): Promise<SlowLoad> {
  const transfers = await observeSlowly(page);
  await page.addInitScript(noteWhenShown, text);
  await page.goto(url, { waitUntil: "commit" });
  await page.getByText(text, { exact: true }).waitFor();
  const shownAt = await page.evaluate<number>("window.shownAt");
  const begun = transfers().filter(({ beganAt }) => beganAt <= shownAt);
  const bytesOf = ({ endedAt, bytes, chunks }: Transfer) =>
    endedAt <= shownAt ? bytes : chunks.filter(({ at }) => at <= shownAt).reduce((sum, chunk) => sum + chunk.bytes, 0);
  return {
    bytes: begun.reduce((sum, transfer) => sum + bytesOf(transfer), 0),
    roundTripsTo: (path) => longestChain(begun, path),
  };
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

/** Parallel requests overlap, because each takes at least the latency. */
function longestChain(transfers: readonly Transfer[], path: RegExp): number {
  const lengthTo = (last: Transfer): number =>
    1 + Math.max(0, ...transfers.filter(({ endedAt }) => endedAt <= last.beganAt).map(lengthTo));
  return Math.max(0, ...transfers.filter((transfer) => path.test(transfer.path)).map(lengthTo));
}
