import "./app/language.ts";
import "./app/trustedTypes.ts";
import "./ui/panel.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/App.tsx";
import { refreshSession } from "./session/session.ts";

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root element");
void refreshSession();
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
