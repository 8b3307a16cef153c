import { hasChannel, markWindow, newLaunchId, openChannel, windowName } from "./channel.ts";
import type { ConnectOptions, ConnectRequest, PreparedRequest } from "./options.ts";
import { postForm, prepareRequest } from "./options.ts";

const CLOSED_CHECK_MS = 400;

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
  /** The person closed the window before the end. */
  | { readonly type: "closed" }
  /** `cancel` or the signal ended it. */
  | { readonly type: "canceled" }
  /** This page is being left; its return page shows the result. */
  | { readonly type: "redirecting" };

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
  /** Closes the window and starts again in this page. */
  continueHere(): void;
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
  const popup = options.mode === "redirect" || !hasChannel() ? null : openPopup(launchId, options);
  if (popup === null) return redirect(launchId, prepared);
  return follow(popup, launchId, prepared, options);
}

function openPopup(launchId: string, { width = 560, height = 760 }: ConnectOptions): Window | null {
  const left = Math.max(0, Math.round(screenX + (outerWidth - width) / 2));
  const top = Math.max(0, Math.round(screenY + (outerHeight - height) / 2));
  const features = `popup,width=${width},height=${height},left=${left},top=${top}`;
  const popup = window.open("", windowName(launchId), features);
  // Some blockers return a window that is already closed.
  return popup === null || popup.closed ? null : popup;
}

function redirect(launchId: string, request: PreparedRequest): ConnectLaunch {
  postForm(request, "_self");
  return endedLaunch(launchId, "redirect", "redirecting");
}

function endedLaunch(launchId: string, mode: ConnectLaunch["mode"], type: "canceled" | "redirecting"): ConnectLaunch {
  const nothing = () => undefined;
  return {
    launchId,
    mode,
    outcome: Promise.resolve({ type }),
    focus: nothing,
    continueHere: nothing,
    release: nothing,
    cancel: nothing,
  };
}

function follow(popup: Window, launchId: string, request: PreparedRequest, options: ConnectOptions): ConnectLaunch {
  const { launchIdField, findAttempt, onLateReturn, signal } = options;
  let isSettled = false;
  let finish: (outcome: ConnectOutcome) => void = () => undefined;
  const outcome = new Promise<ConnectOutcome>((resolve) => {
    finish = resolve;
  });
  const channel = openChannel(launchId, (message) => {
    if (message.type !== "returned") return;
    const { sessionId, status } = message;
    channel.send({ type: "taken", launchId });
    if (isSettled) onLateReturn?.(sessionId);
    stop({ type: "returned", sessionId, statusHint: status });
  });
  const settle = (how: ConnectOutcome) => {
    clearInterval(timer);
    isSettled = true;
    finish(how);
  };
  const stop = (how: ConnectOutcome) => {
    settle(how);
    channel.close();
    signal?.removeEventListener("abort", cancel);
  };
  const cancel = () => {
    stop({ type: "canceled" });
    popup.close();
  };
  const foundAttempt = async () => {
    try {
      return (await findAttempt?.(launchId)) ?? null;
    } catch {
      return null;
    }
  };
  const checkClosed = async () => {
    if (!popup.closed) return;
    clearInterval(timer);
    const sessionId = await foundAttempt();
    if (isSettled) return;
    // For a late return, the channel stays open: the window may only appear closed.
    const end = onLateReturn === undefined ? stop : settle;
    end(sessionId === null ? { type: "closed" } : { type: "returned", sessionId, statusHint: null });
  };
  const timer = setInterval(() => void checkClosed(), CLOSED_CHECK_MS);

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
      stop({ type: "redirecting" });
      popup.close();
      postForm(request, "_self");
    },
    release: () => stop({ type: "canceled" }),
    cancel,
  };
}
