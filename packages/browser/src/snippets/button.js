// #region button
import { createConnectButton } from "@social-connect/browser";

const button = createConnectButton(
  { action: "/connect", fields: { provider: "PROVIDER_A" } },
  {
    label: "Connect",
    onStart: () => show("Continue in the window that was opened."),
    onOutcome: (outcome) => {
      if (outcome.type === "returned") showResult(outcome.sessionId);
      if (outcome.type === "unknown") show("Continue in the window. If you closed it, you can try again.");
    },
  },
);
document.querySelector("main").append(button);
// #endregion button

// #region result
// The id is only a hint: your backend checks that the signed-in user started this attempt, and reads its result.
async function showResult(sessionId) {
  const response = await fetch(`/attempts/${encodeURIComponent(sessionId)}`);
  const { status } = await response.json();
  show(status === "COMPLETED" ? "Your account is linked." : "No account was linked.");
}
// #endregion result

function show(text) {
  document.querySelector("[role=status]").textContent = text;
}
