/** The pages of the test site: a button, a form, and the return page. */
import {
  type ConnectButtonOptions,
  type ConnectLaunch,
  type ConnectOutcome,
  type ConnectRequest,
  createConnectButton,
  enhanceConnectForm,
  finishConnect,
  startConnect,
} from "../index.ts";
// @ts-expect-error: the code of the README has no types.
import { findAttempt } from "../snippets/findAttempt.js";

/** How a test configures a page, as JSON in its URL, and what it may call. */
interface TestPage {
  launch?: ConnectLaunch;
  outcomes?: string[];
  abort?: () => void;
}

const status = document.querySelector("[role=status]") as HTMLElement;
const page = window as unknown as TestPage;

function show(text: string): void {
  status.textContent = text;
}

function describe(outcome: ConnectOutcome): string {
  return outcome.type === "returned" ? `returned ${outcome.sessionId} ${outcome.statusHint}` : outcome.type;
}

function notFound(): never {
  throw new Error("Not a promise that rejects, but an exception.");
}

function showConnect(): void {
  const settings = new URLSearchParams(location.search);
  const controller = new AbortController();
  page.abort = () => controller.abort();
  if (settings.has("aborted")) controller.abort();
  const found = settings.get("found");
  const options: ConnectButtonOptions = {
    launchIdField: "launch",
    signal: controller.signal,
    ...(settings.has("redirect") ? { mode: "redirect" } : {}),
    ...(settings.has("late") ? { onLateReturn: (sessionId) => show(`late ${sessionId}`) } : {}),
    ...(found === null ? {} : { findAttempt: async (launchId) => `${found} of ${launchId}` }),
    ...(settings.has("unknown") ? { findAttempt: notFound } : {}),
    ...(settings.has("ask") ? { findAttempt } : {}),
    onStart: (launch) => {
      page.launch = launch;
      show(`open ${launch.mode}`);
      if (settings.has("broken")) throw new Error("An error of the application.");
    },
    onOutcome: (outcome) => {
      page.outcomes = [...(page.outcomes ?? []), outcome.type];
      show(describe(outcome));
    },
  };
  const request = {
    action: "/connect",
    fields: { provider: "PROVIDER_A", ...(settings.has("separate") ? { separate: "yes" } : {}) },
  };
  if (settings.has("start")) startPlainly(request, options);
  else document.querySelector("main")?.append(createConnectButton(request, { label: "Connect", ...options }));
  enhanceConnectForm(document.querySelector("#form") as HTMLFormElement, options);
}

/** Without the late outcome of the buttons. */
function startPlainly(request: ConnectRequest, { onOutcome, ...options }: ConnectButtonOptions): void {
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: "Connect" });
  button.onclick = async () => {
    const launch = startConnect(request, options);
    onOutcome(await launch.outcome, launch);
  };
  document.querySelector("main")?.append(button);
}

if (location.pathname === "/return") {
  document.querySelector("#form")?.remove();
  const { isHandedOver, sessionId } = await finishConnect();
  show(isHandedOver ? "You can close this window." : `result of ${sessionId} here`);
} else {
  showConnect();
}

export type { TestPage };
