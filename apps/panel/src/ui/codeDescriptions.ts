import type { ConnectResultCode, JobErrorCode } from "@social-connect/contract";
import type { WaitReason } from "../_generated/health.ts";

export interface CodeDescription {
  readonly text: string;
  /** Who can resolve the failure; null if it is an expected result. */
  readonly actor: "user" | "provider" | "operator" | null;
}

const by = (actor: CodeDescription["actor"]) => (text: string) => ({ text, actor });
const [user, provider, operator, expected] = [by("user"), by("provider"), by("operator"), by(null)];

export const JOB_ERROR_DESCRIPTIONS: Readonly<Record<JobErrorCode, CodeDescription>> = {
  UPSTREAM_UNAVAILABLE: provider("The provider did not respond, or returned an unexpected response."),
  UPSTREAM_RATE_LIMITED: provider("The provider's rate limit or quota is exhausted."),
  RECONNECT_REQUIRED: user("The consent has ended. The user has to reconnect."),
  AUTHORIZATION_SUSPENDED: operator("The registration is paused, or a disconnect is in progress."),
  CAPABILITY_UNAVAILABLE: operator("The registration does not allow the client or the capability."),
  CONTENT_NOT_FOUND: expected("The post does not exist."),
  CONTENT_NOT_OWNED: expected("The post belongs to another account."),
  REVOKE_REJECTED: user("The provider rejected the revocation. The user has to revoke the access at the provider."),
  REVOKE_UNSUPPORTED: expected("This provider does not support revocation."),
  DISCONNECTED: expected("The connection was disconnected."),
};

export const CONNECT_RESULT_DESCRIPTIONS: Readonly<Record<ConnectResultCode, CodeDescription>> = {
  SUPERSEDED: expected("A newer attempt for the same connection replaced it."),
  RECONNECT_TARGET_GONE: expected("The connection to reconnect was disconnected."),
  APPLICATION_DISABLED: operator("The client was disabled."),
  USER_DENIED: expected("The user denied access."),
  PROVIDER_ERROR: provider("The provider redirected the user back with an error."),
  NO_CAPABILITY_GRANTED: expected("The user granted no requested capability."),
  NOT_A_TESTER: operator("The account is not a tester of the client. Required in a sandbox."),
  ACCOUNT_MISMATCH: user("The user consented with a different account."),
  EXCHANGE_FAILED: operator(
    "The provider rejected the code, or the service has a fault. Check the registration and the log.",
  ),
  PROVIDER_UNAVAILABLE: provider("The provider did not respond."),
  POLICY_CHANGED: operator("The policy or registration was changed during the attempt."),
  DEADLINE_PASSED: expected("The user did not finish within ten minutes."),
};

const WAIT_REASON_TEXTS: Readonly<Record<WaitReason, string>> = {
  RATE_LIMITED: "The provider’s limit ends.",
  QUOTA: "Our own call budget resets.",
  PROVIDER_UNAVAILABLE: "The provider responds again.",
  PAUSED: "The registration is published again, or a disconnect settles.",
  BEHIND_OTHER_WORK: "A worker is free, or another job ends first.",
  SERVICE_FAULT: "An operator resolves a fault of the service.",
};

const UNKNOWN: CodeDescription = { text: "Unknown code.", actor: "operator" };

/** Treats codes that were added after this page was loaded as failures that need attention. */
export function describeJobError(code: string): CodeDescription {
  return (JOB_ERROR_DESCRIPTIONS as Readonly<Record<string, CodeDescription>>)[code] ?? UNKNOWN;
}

/** Such as a revoke at a provider that does not support revocation. */
export function isExpectedFailure(status: string, errorCode: string | null): boolean {
  return status === "FAILED" && errorCode !== null && describeJobError(errorCode).actor === null;
}

export function describeConnectResult(code: string): CodeDescription {
  return (CONNECT_RESULT_DESCRIPTIONS as Readonly<Record<string, CodeDescription>>)[code] ?? UNKNOWN;
}

export function describeWaitReason(reason: string): { readonly text: string } {
  return { text: (WAIT_REASON_TEXTS as Readonly<Record<string, string>>)[reason] ?? UNKNOWN.text };
}
