import { finishConnect } from "./social-connect/index.js";

/** In the popup, back from the provider: passes the attempt to the page that opened it, and closes. */
export async function startHandover() {
  const page = document.querySelector("[data-handover-popup]");
  if (page === null) return;
  // If the other page was closed, nothing takes the attempt, and the link in this page continues here.
  await finishConnect({ launchId: page.dataset.handoverPopup });
}
