import { openForOperator, operate } from "../composition/operatorAccess.ts";
import { readSettings } from "../config/settings.ts";
import type { Service } from "../modules/service.ts";

/** Runs work with the use cases on the database of a development environment. Secrets need its encryption keys. */
export function operateDev<T>(
  databaseUrl: string,
  work: (service: Service) => Promise<T>,
  encryptionKeys?: string,
): Promise<T> {
  const keys = encryptionKeys === undefined ? {} : { ENCRYPTION_KEYS: encryptionKeys };
  const environment = { DATABASE_URL: databaseUrl, MODE: "sandbox", LOG_LEVEL: "warn", ...keys };
  const settings = readSettings(environment, { role: "both", needsNoEncryptionKey: true });
  if (encryptionKeys === undefined) return operate(settings, work);
  return openForOperator(settings, "with encryption keys", ({ service }) => work(service));
}
