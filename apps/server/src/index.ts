/** The service as a library, for programs that start it themselves. */
export type {
  IssuerSettings,
  Role,
  SettingProblem,
  Settings,
  SettingsOverrides,
  TracingSettings,
} from "./config/settings.ts";
export { readSettings, SettingsError } from "./config/settings.ts";
export type { RunningServer } from "./main.ts";
export { migrate, startServer } from "./main.ts";
