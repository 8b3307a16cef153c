import "./app/language.ts";
import "./app/trustedTypes.ts";
import "./ui/panel.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/App.tsx";
import { router } from "./app/router.ts";
import { readSession, startSession } from "./session/session.ts";

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root element");
startSession();
// With a session, the frame of index.html shows the page until its code has loaded.
const loaded = readSession() === null ? Promise.resolve() : loadPage();
void loaded.then(() =>
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
);

/** A navigation to the page itself: `router.load` would pass parameters to it that it does not accept. */
async function loadPage(): Promise<void> {
  const to = router.latestLocation.pathname as "/";
  await router.navigate({ to, search: true, hash: true, state: true, replace: true });
}
