import { readSettings } from "../settings.ts";
import { SettingsError } from "../settingsError.ts";

export function settingsError(environment: Readonly<Record<string, string | undefined>>): SettingsError {
  try {
    readSettings(environment);
  } catch (error) {
    if (error instanceof SettingsError) return error;
    throw error;
  }
  throw new Error("the settings were accepted");
}
