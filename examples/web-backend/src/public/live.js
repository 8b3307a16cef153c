/** Used when the server accepts no stream, for example because too many are open. */
const RELOAD_MS = 20_000;

/**
 * Keeps a page current without a reload: when the server says that it changed, the page is fetched again, and its parts
 * with `data-part` are replaced. The browser reconnects a broken stream itself, with Last-Event-ID.
 */
export function startLive() {
  const { live } = document.body.dataset;
  if (live === undefined) return;
  const events = new EventSource(live);
  const update = onceAtATime(updateParts);
  events.addEventListener("changed", update);
  events.addEventListener("error", () => {
    if (events.readyState === EventSource.CLOSED) setInterval(update, RELOAD_MS);
  });
  // A page that is left must not count as a stream, even while the browser keeps it for the Back button.
  addEventListener("pagehide", () => events.close());
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) location.reload();
  });
}

async function updateParts() {
  const response = await fetch(location.href, { cache: "no-store" }).catch(() => null);
  // The session has ended, or the account was disconnected.
  if (response?.redirected) return location.assign(response.url);
  if (!response?.ok) return;
  const next = new DOMParser().parseFromString(await response.text(), "text/html");
  document.title = next.title;
  for (const part of document.querySelectorAll("[data-part]")) {
    const replacement = next.querySelector(`[data-part="${part.dataset.part}"]`);
    if (replacement !== null && replacement.innerHTML !== part.innerHTML) replace(part, replacement);
  }
  announce(next.body.dataset.announcement);
}

function replace(part, replacement) {
  const focused = part.contains(document.activeElement) ? document.activeElement : null;
  part.replaceChildren(...replacement.childNodes);
  if (focused === null) return;
  const same = [...part.querySelectorAll(focused.tagName)].find((element) => describes(element, focused));
  if (same !== undefined) return same.focus();
  part.tabIndex = -1;
  part.focus({ preventScroll: true });
}

function describes(element, other) {
  return element.getAttribute("href") === other.getAttribute("href") && element.textContent === other.textContent;
}

/** Screen readers read the text when it changes. */
function announce(text) {
  if (text === undefined || text === document.body.dataset.announcement) return;
  document.body.dataset.announcement = text;
  document.querySelector("[data-announcer]").textContent = text;
}

/** A call during a run starts one more run after it. */
function onceAtATime(run) {
  let isRunning = false;
  let isWanted = false;
  return async () => {
    isWanted = true;
    if (isRunning) return;
    isRunning = true;
    while (isWanted) {
      isWanted = false;
      await run();
    }
    isRunning = false;
  };
}
