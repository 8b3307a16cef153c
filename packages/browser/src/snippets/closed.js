// #region closed
import { createConnectButton } from "@social-connect/browser";

const button = createConnectButton(
  { action: "/connect", fields: { provider: "PROVIDER_A" } },
  {
    label: "Connect",
    launchIdField: "launch",
    onOutcome: (outcome, launch) => {
      if (outcome.type === "returned") showResult(outcome.sessionId);
      if (outcome.type === "unknown") {
        offer("Continue or cancel", () => launch.reopen(`/launches/${launch.launchId}/pane`));
      }
    },
  },
);
// #endregion closed
document.querySelector("main").append(button);

function offer(label, onclick) {
  document
    .querySelector("main")
    .append(Object.assign(document.createElement("button"), { textContent: label, onclick }));
}

async function showResult(sessionId) {
  const response = await fetch(`/attempts/${encodeURIComponent(sessionId)}`);
  document.querySelector("[role=status]").textContent = (await response.json()).status;
}
