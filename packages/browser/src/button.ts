import type { ConnectOptions, ConnectRequest } from "./options.ts";
import type { ConnectLaunch, ConnectOutcome } from "./start.ts";
import { startConnect } from "./start.ts";

/** Connect, and what the page does with its end. */
export interface ConnectButtonOptions extends ConnectOptions {
  /** Called when Connect has started, for example to show that a window is open. */
  readonly onStart?: ((launch: ConnectLaunch) => void) | undefined;
  /** Called once at the end, also when the window was closed. */
  readonly onOutcome: (outcome: ConnectOutcome) => void;
}

/** A button that starts Connect. While its window is open, another click focuses the window. */
export function createConnectButton(
  request: ConnectRequest,
  { label, ...options }: ConnectButtonOptions & { readonly label: string },
): HTMLButtonElement {
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: label });
  const start = oneAtATime(options);
  button.addEventListener("click", () => start(request));
  return button;
}

/**
 * Lets a form that posts to your backend use a popup. Without scripts, and if popups are blocked, the form works unchanged,
 * in the full page. Returns a function that undoes this.
 */
export function enhanceConnectForm(form: HTMLFormElement, options: ConnectButtonOptions): () => void {
  const start = oneAtATime(options);
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    start({ form, submitter: event.submitter });
  };
  form.addEventListener("submit", onSubmit);
  return () => form.removeEventListener("submit", onSubmit);
}

/** Starts Connect, or shows the window of the launch that is still running. */
export function oneAtATime({
  onStart,
  onOutcome,
  ...options
}: ConnectButtonOptions): (request: ConnectRequest) => void {
  let running: ConnectLaunch | null = null;
  return (request) => {
    if (running !== null) return running.focus();
    const launch = startConnect(request, options);
    running = launch;
    void launch.outcome.then((outcome) => {
      running = null;
      onOutcome(outcome);
    });
    // Last, because it may throw.
    onStart?.(launch);
  };
}
