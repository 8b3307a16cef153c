import { openChannel } from "./channel.js";

// #region popup-handover
/** In the popup, back from the provider: passes the attempt to the page that opened it, and closes. */
export function startHandover() {
  const page = document.querySelector("[data-handover-popup]");
  if (page === null) return;
  const { handoverPopup: popup, handoverAttempt: attempt } = page.dataset;
  const channel = openChannel();
  // If the other page was closed, nothing takes the attempt, and the link in this page continues here.
  channel.addEventListener("message", ({ data }) => {
    if (data.taken === popup) window.close();
  });
  channel.postMessage({ popup, attempt });
}
// #endregion popup-handover
