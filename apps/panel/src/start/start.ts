/**
 * Runs before the first paint, while the panel's code loads: applies the stored color scheme, reads the session from the
 * page, and loads the page's files and its first rows. A separate file, because it delays the first paint.
 */
import { type EarlyRequest, post, type Start, type WireSession } from "../early/earlyRequests.ts";
import { FIRST_PAGES, type FirstPage } from "./firstPages.ts";
import { showRows } from "./frame.ts";

/** The files of each page that is loaded on demand, by path, which the build inserts. */
declare const PAGE_FILES: Readonly<Record<string, readonly string[]>>;

const root = document.documentElement;

// Mantine's storage key and attribute.
try {
  const chosen = localStorage.getItem("mantine-color-scheme-value");
  if (chosen === "light" || chosen === "dark") root.dataset["mantineColorScheme"] = chosen;
} catch {
  // Without storage, the device's preference applies.
}

const start: Start = { session: readSession(), requests: new Map() };
window.socialConnectStart = start;

if (start.session !== null) {
  root.dataset["signedIn"] = "";
  loadPage(location.pathname.replace(/^\/panel\/?/, "/"), start.session);
}

function loadPage(path: string, session: NonNullable<Start["session"]>): void {
  const preloadFiles = () => {
    for (const file of PAGE_FILES[path] ?? []) preload(file);
  };
  const page = FIRST_PAGES[path];
  // With parameters in its URL, a page asks for something else.
  const hasRows = page !== undefined && location.search === "";
  // The files would delay the rows, and are needed only after the panel's main file has loaded.
  if (hasRows) void showFirstRows(page, session).finally(preloadFiles);
  else preloadFiles();
}

/** Sends the first requests of a page, and shows the rows of the first response. */
async function showFirstRows(page: FirstPage, { wire, receivedAtMs }: NonNullable<Start["session"]>): Promise<void> {
  const [first] = page.requests.map((body) => {
    const request: EarlyRequest = { response: post(body, wire.csrfToken) };
    start.requests.set(body, request);
    return readData(request);
  });
  const data = await first;
  const now = new Date(Date.parse(wire.now) - receivedAtMs + Date.now());
  if (data != null) showRows(page, page.rows(data, now));
}

/** Stores the data of a response; the panel handles a response without data. */
async function readData(request: EarlyRequest): Promise<unknown> {
  const response = await request.response.catch(() => null);
  const body = await response
    ?.clone()
    .json()
    .catch(() => null);
  if (body?.data != null && body.errors === undefined) request.data = body.data;
  return request.data;
}

function preload(file: string): void {
  const link = document.createElement("link");
  link.rel = file.endsWith(".css") ? "preload" : "modulepreload";
  if (link.rel === "preload") link.as = "style";
  link.crossOrigin = "";
  link.href = `/panel/${file}`;
  document.head.append(link);
}

function readSession(): Start["session"] {
  const text = document.getElementById("session")?.textContent.trim() ?? "";
  if (!text.startsWith("{")) return null;
  const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  const receivedAtMs = performance.timeOrigin + (navigation?.responseStart ?? performance.now());
  return { wire: JSON.parse(text) as WireSession, receivedAtMs };
}
