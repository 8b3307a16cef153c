import type { Settings, SettingsOverrides } from "./settings.ts";
import type { SettingProblem } from "./settingsError.ts";
import { VARIABLES, type Values, type VariableName } from "./variables.ts";

/** Settings that are each valid but conflict with each other. */
export function findContradictions(values: Values, settings: Settings, overrides: SettingsOverrides): SettingProblem[] {
  const problems: SettingProblem[] = [];
  const add = (name: VariableName, problem: string, remedy: string = VARIABLES[name][1]) =>
    problems.push({ name, problem, remedy });

  for (const name of ["ISSUER_URL", "ISSUER_CLIENT_ID", "ISSUER_CLIENT_SECRET"] as const) {
    const someIsSet = values.ISSUER_URL ?? values.ISSUER_CLIENT_ID ?? values.ISSUER_CLIENT_SECRET;
    if (someIsSet !== undefined && values[name] === undefined)
      add(name, "it is missing, and the issuer needs all three");
  }
  if (settings.operations !== null && settings.role !== "worker" && settings.operations.port === settings.port) {
    add("METRICS_PORT", "it is PORT, and metrics must not be public", "Set it to another port");
  }
  if (values.OTEL_BSP_MAX_EXPORT_BATCH_SIZE > values.OTEL_BSP_MAX_QUEUE_SIZE) {
    add("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "it is larger than OTEL_BSP_MAX_QUEUE_SIZE");
  }
  if (settings.databaseUrl === null && settings.role !== "both") {
    add("DATABASE_URL", `a process of role ${settings.role} shares its database with others, so it needs a URL`);
  }
  if (settings.databaseUrl === null && settings.databaseDirectUrl !== null) {
    add("DATABASE_URL", "it is missing, and DATABASE_DIRECT_URL is only for a pooler in DATABASE_URL");
  }
  if (settings.databaseUrl === null && settings.processes > 1) {
    add("DATABASE_URL", "several processes share a database, so they need a URL");
  }
  if (settings.databaseUrl !== null && settings.encryptionKeys.length === 0 && !overrides.needsNoEncryptionKey) {
    add("ENCRYPTION_KEYS", "it is missing, and every process on this database must have the same keys");
  }
  if (settings.mode === "live") {
    const isHttps = (address: string) => address.startsWith("https://");
    if (settings.encryptionKeys.length === 0 && settings.databaseUrl === null) {
      add("ENCRYPTION_KEYS", "live mode needs its own encryption key");
    }
    if (!isHttps(settings.publicUrl)) add("PUBLIC_URL", "live mode needs an https URL");
    if (values.ADMIN_URL !== undefined && !isHttps(settings.adminUrl)) {
      add("ADMIN_URL", "live mode needs an https URL");
    }
    if (settings.issuer !== null && !isHttps(settings.issuer.url)) add("ISSUER_URL", "live mode needs an https URL");
    if (settings.movableClock) add("CLOCK", "live mode's clock cannot be moved", "Set it to system, or remove it");
    if (settings.jitter !== null) add("JITTER", "live mode spreads its work randomly", "Remove it");
  }
  return problems;
}
