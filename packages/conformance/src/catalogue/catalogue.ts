import { ENUMERATIONS } from "../description/consumerSchema.ts";
import type { Row } from "../harness/coverage.ts";
import { OPERATION_NAMES } from "../wire/documents.ts";
import { ADMIN_OPERATION_ROWS } from "./adminOperations.ts";
import { ADMIN_RULE_ROWS } from "./adminRules.ts";
import { ARGUMENT_ROWS } from "./arguments.ts";
import { BEHAVIOUR_ROWS, LIMIT_ROWS, TRANSITION_ROWS } from "./behaviours.ts";
import { ADMIN_CODE_ROWS, CODE_ROWS } from "./codes.ts";
import { values } from "./rows.ts";

/**
 * Everything that parts 2 to 5, 7 and 8 of the service description promise a caller, and the decisions where it is
 * silent.
 */
export const CATALOGUE: readonly Row[] = [
  ...values("S4", "operation:", OPERATION_NAMES),
  ...ARGUMENT_ROWS,
  // A response has to contain each value.
  ...[...ENUMERATIONS].flatMap(([name, members]) => values("S2", `enum:${name}.`, members)),
  ...CODE_ROWS,
  ...LIMIT_ROWS,
  ...TRANSITION_ROWS,
  ...BEHAVIOUR_ROWS,
  ...ADMIN_OPERATION_ROWS,
  ...ADMIN_CODE_ROWS,
  ...ADMIN_RULE_ROWS,
];
