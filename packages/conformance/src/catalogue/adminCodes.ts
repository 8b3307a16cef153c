import { ADMIN_ENUMERATIONS } from "../description/adminSchemaTables.ts";
import type { Row } from "../harness/coverage.ts";
import { rules, values } from "./rows.ts";

/** Part 7, codes of the admin API, with the reasons of the decisions; and the panel's typed errors. */
export const ADMIN_CODE_ROWS: readonly Row[] = [
  ...values("S7", "admin-code:", [
    "UNAUTHENTICATED",
    "FORBIDDEN",
    "BAD_USER_INPUT",
    "NOT_FOUND",
    "CONFLICT",
    "UPSTREAM_UNAVAILABLE",
  ]),
  ...values("S7, decisions", "admin-reason:", [
    "API_KEY_READ_ONLY",
    "PANEL_ONLY",
    "LAST_ORIGIN",
    "LAST_RETURN_URL",
    "SLUG_TAKEN",
    "ALREADY_PRESENT",
    "ORIGIN_IN_USE",
    "KEY_LIMIT",
    "ROW_BUSY",
  ]),
  ...values("decisions", "admin-type:", [
    "InvalidInputError",
    "ConflictError",
    "NotFoundError",
    "ConfirmationRequiredError",
    "ProviderCheckError",
  ]),
  ...Object.entries(ADMIN_ENUMERATIONS).flatMap(([name, members]) =>
    values("decisions", `admin-enum:${name}.`, members),
  ),
  ...values("decisions", "admin-availability:", ["REGISTRATION_PAUSED", "REGISTRATION_DISABLED"]),
  ...values("S5", "admin-action:", ["API key first used"]),
  ...rules("S7", "admin-envelope:", {
    "operation-error": ["HTTP 200 with errors, a code and a correlation id", "admin-http:200"],
    "invalid-document": ["HTTP 400 with BAD_USER_INPUT", "admin-http:400", "admin-code:BAD_USER_INPUT"],
    "names-no-field": ["the message does not name the field", "admin-code:BAD_USER_INPUT"],
  }),
];
