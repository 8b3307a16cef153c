import { ADMIN_ERROR_CODES, ADMIN_FORBIDDEN_REASONS, CONFLICT_REASONS } from "@social-connect/contract";
import { adminValuesOf } from "../description/adminOperations.ts";
import type { Row } from "../harness/coverage.ts";
import { rules, values } from "./rows.ts";

/** Part 7, codes of the admin API, with the reasons of the decisions; and the panel's typed errors. */
export const ADMIN_CODE_ROWS: readonly Row[] = [
  ...values("S7", "admin-code:", ADMIN_ERROR_CODES),
  ...values("S7, decisions", "admin-reason:", [...ADMIN_FORBIDDEN_REASONS, ...CONFLICT_REASONS]),
  ...values("decisions", "admin-type:", [
    "InvalidInputError",
    "ConflictError",
    "NotFoundError",
    "ConfirmationRequiredError",
    "ProviderCheckError",
  ]),
  ...["SocialProvider", "Capability", "ApiKeyScope", "RegistrationStatus"].flatMap((name) =>
    values("decisions", `admin-enum:${name}.`, adminValuesOf(name)),
  ),
  ...values("decisions", "admin-availability:", ["REGISTRATION_PAUSED", "REGISTRATION_DISABLED"]),
  ...values("S5", "admin-action:", ["API key first used"]),
  ...rules("S7", "admin-envelope:", {
    "operation-error": ["HTTP 200 with errors, a code and a correlation id", "admin-http:200"],
    "invalid-document": ["HTTP 400 with BAD_USER_INPUT", "admin-http:400", "admin-code:BAD_USER_INPUT"],
    "names-no-field": ["the message does not name the field", "admin-code:BAD_USER_INPUT"],
  }),
];
