import { AdminReader } from "./reader.ts";
import type { AdminOptions, AdminScope } from "./wire/settings.ts";
import { readSettings } from "./wire/settings.ts";
import { AdminWriter } from "./writer.ts";

/** The methods that a key of a scope can use: one of READ has none that write. */
export type Admin<Scope extends AdminScope> = Scope extends "WRITE" ? AdminWriter : AdminReader;

/**
 * The client of the admin API. It belongs on a server or in a script; make one and keep it.
 *
 * Its methods follow `scope`, which is the scope that the key was minted with. What only an admin in the panel may do has
 * no method at all. Throws ConfigurationError for a malformed host, key or scope, without repeating any of them.
 */
export function createAdmin<const Scope extends AdminScope>(options: AdminOptions<Scope>): Admin<Scope>;
export function createAdmin(options: AdminOptions): AdminReader | AdminWriter {
  const settings = readSettings(options);
  return options.scope === "WRITE" ? new AdminWriter(settings) : new AdminReader(settings);
}
