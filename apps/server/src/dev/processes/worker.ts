import { settingsFromEnvironment } from "../../config/settings.ts";
import { startServer } from "../../main.ts";
import type { StartedProcess } from "./child.ts";

export async function start(): Promise<StartedProcess> {
  return startServer(settingsFromEnvironment({ role: "worker" }));
}
