import { ACCOUNTS, CONNECTIONS } from "./accountCommands.ts";
import type { Command } from "./command.ts";
import { FAULTS } from "./faultCommands.ts";
import { ADMIN, OPERATORS } from "./operatorCommands.ts";
import { JOBS, SESSIONS } from "./sessionCommands.ts";
import { WHOLE } from "./snapshotCommands.ts";

/** Each thing that can be done over HTTP, by its method and its path below `/__mock/`. */
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
