/** A page with the React button, which can be removed. */
import { createElement, StrictMode, useState } from "react";
import { createRoot } from "react-dom/client";
import { ConnectButton, type ConnectOutcome } from "../react.ts";

function Page() {
  const [outcome, setOutcome] = useState<ConnectOutcome | null>(null);
  const [isShown, setShown] = useState(true);
  const [renderings, setRenderings] = useState(0);
  const button = createElement(
    ConnectButton,
    {
      action: "/connect",
      fields: { provider: "PROVIDER_A" },
      className: "primary",
      onStart: () => setRenderings((count) => count + 1),
      onOutcome: setOutcome,
    },
    "Connect with React",
  );
  return createElement(
    "div",
    null,
    isShown ? button : null,
    createElement("button", { type: "button", onClick: () => setShown(false) }, "Remove"),
    createElement("output", null, outcome === null ? `renderings ${renderings}` : JSON.stringify(outcome)),
  );
}

createRoot(document.querySelector("main") as HTMLElement).render(createElement(StrictMode, null, createElement(Page)));
