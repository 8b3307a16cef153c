import "./app/language.ts";
import "./app/trustedTypes.ts";
import "@mantine/core/styles.css";
import "./ui/panel.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/App.tsx";
import { refreshSession } from "./session/session.ts";

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root element");
// Fetched before the first render, because every page depends on it.
void refreshSession();
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
