import type { ConnectResultCode, JobErrorCode } from "@social-connect/contract";
import type { WaitReason } from "../_generated/health.ts";

export interface CodeDescription {
  readonly text: string;
  /** Who can resolve the failure; null if it is an expected result. */
  readonly actor: "user" | "provider" | "operator" | null;
}

export const JOB_ERROR_DESCRIPTIONS: Readonly<Record<JobErrorCode, CodeDescription>> = {
  UPSTREAM_UNAVAILABLE: {
    text: "The provider did not respond, or returned an unexpected response.",
    actor: "provider",
  },
  UPSTREAM_RATE_LIMITED: { text: "The provider's rate limit or quota is exhausted.", actor: "provider" },
  RECONNECT_REQUIRED: { text: "The consent has ended. The user has to reconnect.", actor: "user" },
  AUTHORIZATION_SUSPENDED: {
    text: "The registration is paused, or a disconnect is in progress.",
    actor: "operator",
  },
  CAPABILITY_UNAVAILABLE: {
    text: "The registration does not allow the client or the capability.",
    actor: "operator",
  },
  CONTENT_NOT_FOUND: { text: "The post does not exist.", actor: null },
  CONTENT_NOT_OWNED: { text: "The post belongs to another account.", actor: null },
  REVOKE_REJECTED: {
    text: "The provider rejected the revocation. The user has to revoke the access at the provider.",
    actor: "user",
  },
  REVOKE_UNSUPPORTED: { text: "This provider does not support revocation.", actor: null },
  DISCONNECTED: { text: "The connection was disconnected.", actor: null },
};

export const CONNECT_RESULT_DESCRIPTIONS: Readonly<Record<ConnectResultCode, CodeDescription>> = {
  SUPERSEDED: { text: "A newer attempt for the same connection replaced it.", actor: null },
  RECONNECT_TARGET_GONE: { text: "The connection to reconnect was disconnected.", actor: null },
  APPLICATION_DISABLED: { text: "The client was disabled.", actor: "operator" },
  USER_DENIED: { text: "The user denied access.", actor: null },
  PROVIDER_ERROR: { text: "The provider redirected the user back with an error.", actor: "provider" },
  NO_CAPABILITY_GRANTED: { text: "The user granted no requested capability.", actor: null },
  NOT_A_TESTER: { text: "The account is not a tester of the client. Required in a sandbox.", actor: "operator" },
  ACCOUNT_MISMATCH: { text: "The user consented with a different account.", actor: "user" },
  EXCHANGE_FAILED: {
    text: "The provider rejected the code, or the service has a fault. Check the registration and the log.",
    actor: "operator",
  },
  PROVIDER_UNAVAILABLE: { text: "The provider did not respond.", actor: "provider" },
  POLICY_CHANGED: { text: "The policy or registration was changed during the attempt.", actor: "operator" },
  DEADLINE_PASSED: { text: "The user did not finish within ten minutes.", actor: null },
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
