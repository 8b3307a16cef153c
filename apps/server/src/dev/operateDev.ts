import { operate } from "../composition/operatorAccess.ts";
import { readSettings } from "../config/settings.ts";
import type { Service } from "../modules/service.ts";

/** Runs work with the use cases on the database of a development environment. */
export function operateDev<T>(databaseUrl: string, work: (service: Service) => Promise<T>): Promise<T> {
  const environment = { DATABASE_URL: databaseUrl, MODE: "sandbox", LOG_LEVEL: "warn" };
  return operate(readSettings(environment, { role: "both", needsNoEncryptionKey: true }), work);
}
