import { openChannel } from "./channel.js";

const FEATURES = "popup,width=560,height=760";
const CLOSED_CHECK_MS = 500;

/** Lets the "Use a popup" button send its form to a popup. A blocked popup changes nothing: the form stays in this page. */
export function startPopups() {
  document.addEventListener("submit", ({ target, submitter }) => {
    if (submitter?.matches("[data-popup]")) submitInPopup(target);
  });
}

// #region popup-open
function submitInPopup(form) {
  const id = crypto.randomUUID();
  const popup = window.open("", `connect-${id}`, FEATURES);
  if (!popup || popup.closed) return;
  const field = Object.assign(document.createElement("input"), { type: "hidden", name: "popup", value: id });
  form.append(field);
  form.target = popup.name;
  // The browser has read the form by then; its other button uses this page again.
  setTimeout(() => {
    field.remove();
    form.removeAttribute("target");
  });
  follow(id, popup, new FormData(form));
}
// #endregion popup-open

/** Waits until the popup passes on its attempt, or is closed. */
function follow(id, popup, fields) {
  const notice = document.querySelector("[data-popup-notice]");
  const show = (text) => {
    notice.hidden = false;
    notice.querySelector("[data-popup-status]").textContent = text;
  };
  const channel = openChannel();
  channel.addEventListener("message", ({ data }) => {
    if (data.popup !== id || data.attempt === undefined) return;
    channel.postMessage({ taken: id });
    showResult(data.attempt);
  });
  const timer = setInterval(async () => {
    if (!popup.closed) return;
    clearInterval(timer);
    // The user may have closed it after the last step, before it could pass on its attempt.
    const settled = await settledAttempt(id);
    if (settled !== null) return showResult(settled);
    show("The window was closed, and no account was linked. You can try again.");
    notice.querySelector("[data-popup-show]").hidden = true;
  }, CLOSED_CHECK_MS);

  show("Continue in the window that was opened.");
  notice.querySelector("[data-popup-show]").hidden = false;
  notice.querySelector("[data-popup-show]").onclick = () => popup.focus();
  notice.querySelector("[data-popup-here]").onclick = () => {
    clearInterval(timer);
    channel.close();
    popup.close();
    submitHere(fields);
  };
}

/** A new form, because a live page may have replaced the form that was used. */
function submitHere(fields) {
  const form = Object.assign(document.createElement("form"), { method: "post", action: "/connect" });
  for (const [name, value] of fields) {
    if (name !== "popup") form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
  }
  document.body.append(form);
  form.submit();
}

async function settledAttempt(id) {
  const response = await fetch(`/connect/popups/${id}`, { cache: "no-store" }).catch(() => null);
  return response?.ok ? (await response.json()).attempt : null;
}

/** The attempt's id is only a hint: the return page asks the service for the result. */
function showResult(attempt) {
  location.assign(`/return?display=page&ss_session_id=${encodeURIComponent(attempt)}`);
}
