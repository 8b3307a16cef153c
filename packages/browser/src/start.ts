import { hasChannel, markWindow, newLaunchId, openChannel, windowName } from "./channel.ts";
import { type ConnectOptions, type ConnectRequest, type PreparedRequest, postForm, prepareRequest } from "./options.ts";

const WINDOW_CHECK_MS = 400;
/** A return page may separate the window, which then disappears just before its result arrives. */
const CHECKS_UNTIL_UNKNOWN = 4;
const FIRST_FIND_MS = 2_000;
const FIND_GROWTH = 1.2;
const MOST_FIND_MS = 15_000;
/** Longer than an attempt lives. */
const MOST_WAIT_MS = 15 * 60_000;

/** The window has returned with this attempt. */
export interface ReturnedOutcome {
  /** The window has returned, with any result. */
  readonly type: "returned";
  /** The id of the attempt. It is a hint: only your backend can read the result with it. */
  readonly sessionId: string;
  /** What the URL said. A hint for the first message; never a result. */
  readonly statusHint: string | null;
}

/** How a launch ended for this page. */
export type ConnectOutcome =
  | ReturnedOutcome
  /**
   * This page no longer sees the window: it was closed, or a header of a page in it or of this page separates the two, and
   * then it is still open and can return. Browsers do not say which (`Window.closed` is true in both cases).
   */
  | { readonly type: "unknown" }
  /** `cancel` or the signal ended it. */
  | { readonly type: "canceled" }
  /** This page is being left; its return page shows the result. */
  | { readonly type: "redirecting" }
  /** The browser opened no window, and this page is in a frame, where the pages of the service and of providers do not open. */
  | { readonly type: "blocked" };

/** A running Connect. */
export interface ConnectLaunch {
  /** A random id. The backend receives it if you pass `launchIdField`. */
  readonly launchId: string;
  /** `redirect` if that was requested, or if the browser blocked the popup. */
  readonly mode: "popup" | "redirect";
  /** Never rejects. */
  readonly outcome: Promise<ConnectOutcome>;
  /** Focuses the window. */
  focus(): void;
  /** Closes the window and starts again in this page. In a frame it only closes the window: the outcome is `blocked`. */
  continueHere(): void;
  /**
   * Opens the window again after it was closed, at a URL of your backend that redirects to the attempt's consent pane, where
   * the user continues or cancels. Call it in the handler of a click.
   */
  reopen(url: string): void;
  /** Stops waiting. The window stays open and shows the result itself. */
  release(): void;
  /** Stops waiting and closes the window. */
  cancel(): void;
}

/**
 * Starts Connect. Call it directly in the handler of a click: browsers only open windows then. It posts the request to
 * your backend, which responds with `launchPage(session)` of `@social-connect/sdk`.
 */
export function startConnect(request: ConnectRequest, options: ConnectOptions = {}): ConnectLaunch {
  const launchId = newLaunchId();
  if (options.signal?.aborted) return endedLaunch(launchId, options.mode ?? "popup", "canceled");
  const prepared = prepareRequest(request);
  const isRedirect = options.mode === "redirect" || !(hasChannel() || isFramed());
  const popup = isRedirect ? null : openPopup(launchId, options);
  if (popup === null && isFramed()) return endedLaunch(launchId, options.mode ?? "popup", "blocked");
  if (popup === null) return redirect(launchId, prepared);
  return follow(popup, launchId, prepared, options);
}

function isFramed(): boolean {
  return window !== window.top;
}

function openPopup(launchId: string, { width = 560, height = 760 }: ConnectOptions, url = ""): Window | null {
  const left = Math.max(0, Math.round(screenX + (outerWidth - width) / 2));
  const top = Math.max(0, Math.round(screenY + (outerHeight - height) / 2));
  const features = `popup,width=${width},height=${height},left=${left},top=${top}`;
  const popup = window.open(url, windowName(launchId), features);
  // Some blockers return a window that is already closed.
  return popup === null || popup.closed ? null : popup;
}

function redirect(launchId: string, request: PreparedRequest): ConnectLaunch {
  postForm(request, "_self");
  return endedLaunch(launchId, "redirect", "redirecting");
}

function endedLaunch(
  launchId: string,
  mode: ConnectLaunch["mode"],
  type: "canceled" | "redirecting" | "blocked",
): ConnectLaunch {
  const nothing = () => undefined;
  return {
    launchId,
    mode,
    outcome: Promise.resolve({ type }),
    focus: nothing,
    continueHere: nothing,
    reopen: nothing,
    release: nothing,
    cancel: nothing,
  };
}

function follow(opened: Window, launchId: string, request: PreparedRequest, options: ConnectOptions): ConnectLaunch {
  const { launchIdField, findAttempt, onLateReturn, signal } = options;
  let state: "waiting" | "unknown" | "ended" = "waiting";
  let popup = opened;
  let checksWithoutWindow = 0;
  let finding: ReturnType<typeof setTimeout> | undefined;
  let finish: (outcome: ConnectOutcome) => void = () => undefined;
  const outcome = new Promise<ConnectOutcome>((resolve) => {
    finish = resolve;
  });
  const end = () => {
    state = "ended";
    clearInterval(timer);
    clearTimeout(finding);
    signal?.removeEventListener("abort", cancel);
  };
  const stop = (how: ConnectOutcome) => {
    end();
    channel.close();
    finish(how);
  };
  const returned = (sessionId: string, statusHint: string | null) => {
    if (state === "unknown") onLateReturn?.(sessionId);
    end();
    finish({ type: "returned", sessionId, statusHint });
  };
  const channel = openChannel(
    launchId,
    () => popup,
    (message) => {
      if (message.type !== "returned") return;
      // Also if the backend was faster, so that the window closes.
      channel.send({ type: "taken", launchId });
      channel.close();
      if (state !== "ended") returned(message.sessionId, message.status);
    },
  );
  const cancel = () => {
    stop({ type: "canceled" });
    popup.close();
  };
  const find = async () => {
    const sessionId = await Promise.resolve(launchId)
      .then(findAttempt)
      .catch(() => null);
    if (sessionId && state !== "ended") returned(sessionId, null);
  };
  const findLater = (delayMs: number, waitedMs: number) => {
    if (findAttempt === undefined || state === "ended" || waitedMs > MOST_WAIT_MS) return;
    finding = setTimeout(async () => {
      await find();
      findLater(Math.min(delayMs * FIND_GROWTH, MOST_FIND_MS), waitedMs + delayMs);
    }, delayMs);
  };
  const checkWindow = async () => {
    if (!popup.closed) return;
    checksWithoutWindow += 1;
    if (checksWithoutWindow < CHECKS_UNTIL_UNKNOWN) return;
    clearInterval(timer);
    if (findAttempt !== undefined) await find();
    if (state !== "waiting") return;
    // Without a function for it, nothing waits for a late return, and the window shows the result.
    if (onLateReturn === undefined) return stop({ type: "unknown" });
    state = "unknown";
    finish({ type: "unknown" });
  };
  const timer = setInterval(() => void checkWindow(), WINDOW_CHECK_MS);
  findLater(FIRST_FIND_MS, 0);

  markWindow(popup, launchId);
  const idField = launchIdField === undefined ? [] : [[launchIdField, launchId] as const];
  postForm({ ...request, fields: [...request.fields, ...idField] }, windowName(launchId));
  signal?.addEventListener("abort", cancel, { once: true });

  return {
    launchId,
    mode: "popup",
    outcome,
    focus: () => popup.focus(),
    continueHere: () => {
      stop({ type: isFramed() ? "blocked" : "redirecting" });
      popup.close();
      if (!isFramed()) postForm(request, "_self");
    },
    reopen: (url) => {
      popup = openPopup(launchId, options, url) ?? popup;
      markWindow(popup, launchId);
    },
    release: () => stop({ type: "canceled" }),
    cancel,
  };
}
