// #region return
import { finishConnect } from "@social-connect/browser";

const { isHandedOver, sessionId } = await finishConnect();
if (isHandedOver) show("You can close this window.");
else showResult(sessionId);
// #endregion return

async function showResult(id) {
  const response = await fetch(`/attempts/${encodeURIComponent(id)}`);
  const { status } = await response.json();
  show(status === "COMPLETED" ? "Your account is linked." : "No account was linked.");
}

function show(text) {
  document.querySelector("[role=status]").textContent = text;
}
