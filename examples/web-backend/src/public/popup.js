import { startConnect } from "./social-connect/index.js";

/** Lets the "Use a popup" button send its form to a popup. If that is blocked, the form uses this page. */
export function startPopups() {
  document.addEventListener("submit", (event) => {
    if (!event.submitter?.matches("[data-popup]")) return;
    event.preventDefault();
    connectInPopup(event.target);
  });
}

function connectInPopup(form) {
  const launch = startConnect(
    { form },
    // The backend stores the id with the attempt, so that it finds the attempt also if the window was closed or separated.
    { launchIdField: "popup", findAttempt: settledAttempt, onLateReturn: showResult },
  );
  if (launch.mode === "redirect") return;
  showNotice(launch, "Continue in the window that was opened.");
  launch.outcome.then((outcome) => {
    if (outcome.type === "returned") showResult(outcome.sessionId);
    // The window was closed, or the provider separated it: then it continues, and the result is shown later.
    if (outcome.type === "unknown") {
      showNotice(launch, "Continue in the window. If you closed it, you can try again.", true);
    }
  });
}

/** Until the user continues or cancels, the attempt of a window that was closed counts as unfinished. */
function showNotice(launch, text, isUnseen = false) {
  const notice = document.querySelector("[data-popup-notice]");
  notice.hidden = false;
  notice.querySelector("[data-popup-status]").textContent = text;
  const show = notice.querySelector("[data-popup-show]");
  show.textContent = isUnseen ? "Continue or cancel" : "Show the window";
  show.onclick = () => (isUnseen ? launch.reopen(`/connect/popups/${launch.launchId}/pane`) : launch.focus());
  notice.querySelector("[data-popup-here]").onclick = () => launch.continueHere();
}

async function settledAttempt(id) {
  const response = await fetch(`/connect/popups/${id}`, { cache: "no-store" });
  return response.ok ? (await response.json()).attempt : null;
}

/** The attempt's id is only a hint: the return page asks the service for the result. */
function showResult(attempt) {
  location.assign(`/return?display=page&ss_session_id=${encodeURIComponent(attempt)}`);
}
