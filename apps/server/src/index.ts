/** The service as a library, for programs that start it themselves. */
export { migrate } from "./composition/deploymentCommands.ts";
export type {
  IssuerSettings,
  Role,
  Settings,
  SettingsOverrides,
  TracingSettings,
} from "./config/settings.ts";
export { readSettings } from "./config/settings.ts";
export type { SettingProblem } from "./config/settingsError.ts";
export { SettingsError } from "./config/settingsError.ts";
export type { RunningServer } from "./main.ts";
export { startServer } from "./main.ts";
