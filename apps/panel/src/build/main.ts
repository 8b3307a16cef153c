/** Builds the panel into `dist`, for a package or an image of the service. */
import { join } from "node:path";
import { buildPanel, PANEL_ROOT } from "./buildPanel.ts";

await buildPanel(join(PANEL_ROOT, "dist"));
