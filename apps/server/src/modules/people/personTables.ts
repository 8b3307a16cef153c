import { ACCOUNT_TABLES } from "./accountTables.ts";
import type { PersonTable } from "./personTable.ts";
import { RECORD_TABLES } from "./recordTables.ts";

/** The tables that hold rows of a person, in the order of an export. */
export const PERSON_TABLES: readonly PersonTable[] = [...ACCOUNT_TABLES, ...RECORD_TABLES];

const SETTINGS = "settings of a client or of the service, not about its users";
const ADMINS = "about admins, not about users of a client";
const COUNTS = "counts and times without an id of a person";

/** Every other table, with the reason why an export does not have it. */
export const TABLES_WITHOUT_PERSONS: Readonly<Record<string, string>> = {
  application: SETTINGS,
  application_key: SETTINGS,
  event_endpoint: SETTINGS,
  provider_registration: SETTINGS,
  registration_application: SETTINGS,
  _prisma_migrations: SETTINGS,
  encryption_key_check: SETTINGS,
  clock_offset: SETTINGS,
  deployment_mode: SETTINGS,
  refused_prompt: SETTINGS,
  admin_member: ADMINS,
  admin_api_key: ADMINS,
  admin_session: ADMINS,
  admin_sign_in: ADMINS,
  incident: COUNTS,
  sweep_state: COUNTS,
  rollup: COUNTS,
  rollup_writer: COUNTS,
  provider_quota: "counts of calls; the budget of an account has a hash as its name, and ends with the account",
  provider_quota_use: COUNTS,
  provider_revocation: "hashes and times, deleted minutes after a revocation has ended",
  event_delivery: "times and codes of deliveries; the export has their events",
  identity_attempt:
    "a sign-in names no user of the client: its result is encrypted, and deleted with its use or after 20 minutes",
};
