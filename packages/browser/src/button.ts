import type { ConnectOptions, ConnectRequest } from "./options.ts";
import { type ConnectLaunch, type ConnectOutcome, startConnect } from "./start.ts";

/** Connect, and what the page does with its end. */
export interface ConnectButtonOptions extends ConnectOptions {
  /** Called when Connect has started, for example to show that a window is open. */
  readonly onStart?: ((launch: ConnectLaunch) => void) | undefined;
  /** Called at the end, and after the outcome `unknown` again if the window returns. */
  readonly onOutcome: (outcome: ConnectOutcome, launch: ConnectLaunch) => void;
}

/** A button that starts Connect. While its window is open, another click focuses the window. */
export function createConnectButton(
  request: ConnectRequest,
  { label, ...options }: ConnectButtonOptions & { readonly label: string },
): HTMLButtonElement {
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: label });
  const { start } = oneAtATime(() => options);
  button.addEventListener("click", () => start(request));
  return button;
}

/**
 * Lets a form that posts to your backend use a popup. Without scripts, and if popups are blocked, the form works unchanged,
 * in the full page. Returns a function that undoes this.
 */
export function enhanceConnectForm(form: HTMLFormElement, options: ConnectButtonOptions): () => void {
  const { start } = oneAtATime(() => options);
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    start({ form, submitter: event.submitter });
  };
  form.addEventListener("submit", onSubmit);
  return () => form.removeEventListener("submit", onSubmit);
}

interface Starter {
  /** Starts Connect, or shows the window of the launch that is still running. */
  readonly start: (request: ConnectRequest) => void;
  /** Stops waiting for the launch, whose outcome is then not reported. */
  readonly release: () => void;
}

/** Runs one launch at a time, with the options of that time. */
export function oneAtATime(current: () => ConnectButtonOptions): Starter {
  let latest: ConnectLaunch | null = null;
  let isWaiting = false;
  const start = (request: ConnectRequest) => {
    if (isWaiting) return latest?.focus();
    latest?.release();
    const { onStart, onOutcome: _, onLateReturn = reportReturn, ...options } = current();
    // The return of a window that the page no longer saw is another outcome.
    function reportReturn(sessionId: string) {
      current().onOutcome({ type: "returned", sessionId, statusHint: null }, launch);
    }
    const launch = startConnect(request, { ...options, onLateReturn });
    latest = launch;
    isWaiting = true;
    void launch.outcome.then((outcome) => {
      isWaiting = false;
      if (latest === launch) current().onOutcome(outcome, launch);
    });
    // Last, because it may throw.
    onStart?.(launch);
  };
  const release = () => {
    latest?.release();
    latest = null;
  };
  return { start, release };
}
