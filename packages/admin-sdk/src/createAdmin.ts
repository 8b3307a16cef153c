import { AdminReader } from "./reader.ts";
import { type AdminOptions, type AdminScope, readSettings } from "./wire/settings.ts";
import { AdminWriter } from "./writer.ts";

/** The methods for the scope of a key; READ has no write methods. */
export type Admin<Scope extends AdminScope> = Scope extends "WRITE" ? AdminWriter : AdminReader;

/**
 * Creates a client of the admin API, for use on a server or in a script. Create one client and reuse it.
 *
 * Its methods depend on `scope`, the scope of the key. Operations that are only available in the panel have no method.
 * Throws ConfigurationError for a malformed host, key or scope, without repeating any of them.
 */
export function createAdmin<const Scope extends AdminScope>(options: AdminOptions<Scope>): Admin<Scope>;
export function createAdmin(options: AdminOptions): AdminReader | AdminWriter {
  const settings = readSettings(options);
  return options.scope === "WRITE" ? new AdminWriter(settings) : new AdminReader(settings);
}
