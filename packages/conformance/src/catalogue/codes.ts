import {
  ADMIN_ERROR_CODES,
  ADMIN_FORBIDDEN_REASONS,
  CONFLICT_REASONS,
  CONNECT_RESULT_CODES,
  ERROR_CODES,
  JOB_ERROR_CODES,
  OBSERVATION_REASONS,
  PAGE_INCOMPLETE_REASONS,
} from "@social-connect/contract";
import { adminValuesOf } from "../description/adminOperations.ts";
import type { Row } from "../harness/coverage.ts";
import { rules, values } from "./rows.ts";

/** Part 7 of the description, and the codes that the decisions add. */
export const CODE_ROWS: readonly Row[] = [
  ...values("S7", "code:", ERROR_CODES),
  ...values("decisions", "resultCode:", CONNECT_RESULT_CODES),
  ...values("decisions", "errorCode:", JOB_ERROR_CODES),
  ...values("decisions", "incompleteReason:", PAGE_INCOMPLETE_REASONS),
  ...values("decisions", "reason:", [
    ...OBSERVATION_REASONS,
    "AUTHORIZATION_SUSPENDED",
    "RECONNECT_REQUIRED",
    "CAPABILITY_UNAVAILABLE",
    "FORBIDDEN",
  ]),
  ...rules("S7", "envelope:", {
    "operation-error": ["HTTP 200 with errors, code and correlationId", "http:200"],
    "invalid-document": ["HTTP 400 with BAD_USER_INPUT", "http:400", "code:BAD_USER_INPUT"],
    "body-too-large": ["HTTP 413 without a GraphQL body", "http:413"],
    "other-methods": ["every other method than POST returns 405 and Allow", "http:405"],
    "correlation-id": ["extensions.correlationId is a UUID"],
    "retry-after": ["extensions.retryAfterSeconds is an integer where relevant", "code:RATE_LIMITED"],
    fallback: ["UPSTREAM_UNAVAILABLE when an error has no code", "code:UPSTREAM_UNAVAILABLE"],
  }),
];

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
