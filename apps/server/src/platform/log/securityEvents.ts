/**
 * The catalogue of the security log: every event with its level, meaning and fields. `docs/operations/security-log.md`
 * describes when each is written and what to do; a test compares the two. Fields are ids, codes and addresses, never
 * secrets.
 */
export const SECURITY_EVENTS = {
  "api.key_refused": event("warn", "An API key was refused.", apiFields()),
  "api.call_refused": event("warn", "An API call was refused.", apiFields()),
  "admin.operation_refused": event("warn", "An admin key called an operation beyond its scope.", apiFields()),
  "admin.transport_refused": event(
    "warn",
    "A request reached the admin API or panel over a transport that is not allowed.",
    apiFields(),
  ),
  "panel.session_refused": event("info", "A request to the panel had no active session.", apiFields()),
  "panel.request_forged": event("warn", "A request to the panel did not come from the panel's own pages.", apiFields()),
  "panel.confirmation_missing": event("info", "A panel operation required a confirmation.", [
    "correlationId",
    "operation",
    "sessionId",
    "memberId",
  ]),
  "panel.signed_in": event("info", "An admin signed in to the panel.", ["sessionId", "memberId", "address"]),
  "panel.confirmed": event("info", "An admin confirmed their identity.", ["sessionId", "memberId", "address"]),
  "panel.signed_out": event("info", "An admin signed out of the panel.", ["sessionId", "memberId", "address"]),
  "panel.sign_in_failed": event("warn", "A sign-in to the panel failed.", ["signInId", "reason", "address"]),
  "panel.sign_in_limited": event("warn", "Too many sign-ins were started from one address.", [
    "address",
    "retryAfterSeconds",
  ]),
  "connect.origin_refused": event(
    "warn",
    "A launch form was posted from an origin that is not the application's.",
    browserFields(),
  ),
  "connect.launch_token_refused": event("warn", "A launch token was already used, or never issued.", browserFields()),
  "connect.state_refused": event("warn", "A callback had a state that is unknown or used.", browserFields()),
  "connect.foreign_browser": event(
    "warn",
    "A callback, or the button of the consent pane, came from another browser.",
    browserFields(),
  ),
  "connect.callback_refused": event("warn", "A callback was malformed, or from another issuer.", browserFields()),
  "identity.origin_refused": event(
    "warn",
    "A launch form was posted from an origin that is not the application's.",
    browserFields(),
  ),
  "identity.launch_token_refused": event("warn", "A launch token was already used, or never issued.", browserFields()),
  "identity.state_refused": event("warn", "A callback had a state that is unknown or used.", browserFields()),
  "identity.foreign_browser": event("warn", "A callback was requested by another browser.", browserFields()),
  "identity.sign_in_failed": event("warn", "The issuer's response was rejected.", ["attemptId", "reason"]),
  "deauthorization.refused": event("warn", "A deauthorize callback of a provider was refused.", messageFields()),
  "deauthorization.ignored": event(
    "info",
    "A genuine deauthorize callback of a provider changed nothing.",
    messageFields(),
  ),
  "webhook.refused": event("warn", "A webhook of a provider was refused.", messageFields()),
  "webhook.ignored": event("info", "A genuine webhook of a provider changed nothing.", messageFields()),
  "data_deletion.refused": event("warn", "A data deletion request of a provider was refused.", messageFields()),
  "data_deletion.ignored": event("info", "A data deletion request of a provider was repeated.", messageFields()),
  "registration.refused": event(
    "warn",
    "A registration was used whose secret does not decrypt, or whose row was changed outside of the service.",
    ["registrationId", "provider"],
  ),
  "security_log.suppressed": event("warn", "Lines of the security log were suppressed.", [
    "suppressedEvent",
    "subject",
    "count",
  ]),
} as const;

export type SecurityEventName = keyof typeof SECURITY_EVENTS;

export type SecurityEventFields<Name extends SecurityEventName> = Readonly<
  Record<(typeof SECURITY_EVENTS)[Name]["fields"][number], string | number | null>
>;

function event<const Field extends string>(level: "info" | "warn", message: string, fields: readonly Field[]) {
  return { level, message, fields } as const;
}

/** A refused call: `api` is consumer, admin or panel; `reason` is more specific than the code, if possible. */
function apiFields() {
  return ["correlationId", "api", "code", "reason", "keyId", "sessionId", "address"] as const;
}

/** A message that was sent to a provider's address. */
function messageFields() {
  return ["provider", "reason", "address"] as const;
}

/** A refused step of a user's browser; `attemptId` is null when no attempt is known. */
function browserFields() {
  return ["attemptId", "reason", "address"] as const;
}

/** Events of refused calls, which all have the same fields. */
export type RefusalEventName =
  | "api.key_refused"
  | "api.call_refused"
  | "admin.operation_refused"
  | "admin.transport_refused"
  | "panel.session_refused"
  | "panel.request_forged";
