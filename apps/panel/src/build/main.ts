/** Builds the panel into `dist`, for the service's package or image. */
import { join } from "node:path";
import { buildPanel, PANEL_ROOT } from "./buildPanel.ts";

await buildPanel(join(PANEL_ROOT, "dist"));
