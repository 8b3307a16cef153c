import { ACCOUNTS, CONNECTIONS } from "./accounts.ts";
import type { Command } from "./command.ts";
import { FAULTS } from "./faults.ts";
import { ADMIN, OPERATORS } from "./operators.ts";
import { JOBS, SESSIONS } from "./sessions.ts";
import { WHOLE } from "./whole.ts";

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
