import { ACCOUNTS, CONNECTIONS } from "./accountCommands.ts";
import type { Command } from "./command.ts";
import { FAULTS } from "./faultCommands.ts";
import { ADMIN, OPERATORS } from "./operatorCommands.ts";
import { JOBS, SESSIONS } from "./sessionCommands.ts";
import { WHOLE } from "./snapshotCommands.ts";

/** The control API over HTTP, by method and path below `/__mock/`. */
export const COMMANDS: readonly Command[] = [
  ...SESSIONS,
  ...JOBS,
  ...CONNECTIONS,
  ...ACCOUNTS,
  ...FAULTS,
  ...OPERATORS,
  ...ADMIN,
  ...WHOLE,
];
