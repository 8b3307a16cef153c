import type { ConnectResultCode, JobErrorCode } from "@social-connect/contract";

/**
 * Who can do something about an ending that was not good: the person whose account it is, the provider, whoever runs the
 * service; or nobody, because it is meant to end so.
 */
export type Concerns = "person" | "provider" | "operator" | "nobody";

export interface CodeDescription {
  readonly text: string;
  readonly concerns: Concerns;
}

export const JOB_ERROR_DESCRIPTIONS: Readonly<Record<JobErrorCode, CodeDescription>> = {
  UPSTREAM_UNAVAILABLE: { text: "The provider did not answer, or not as it should.", concerns: "provider" },
  UPSTREAM_RATE_LIMITED: { text: "The provider's limit is used up.", concerns: "provider" },
  RECONNECT_REQUIRED: { text: "The consent has ended: the person has to connect again.", concerns: "person" },
  AUTHORIZATION_SUSPENDED: {
    text: "The registration is paused, or a disconnect is being settled.",
    concerns: "operator",
  },
  CAPABILITY_UNAVAILABLE: {
    text: "The registration does not serve the client, or not with this.",
    concerns: "operator",
  },
  CONTENT_NOT_FOUND: { text: "The post is not there.", concerns: "nobody" },
  CONTENT_NOT_OWNED: { text: "The post belongs to another account.", concerns: "nobody" },
  REVOKE_REJECTED: {
    text: "The provider refused to end the consent: the person has to do it there.",
    concerns: "person",
  },
  REVOKE_UNSUPPORTED: { text: "This provider has no way to end a consent from here.", concerns: "nobody" },
  DISCONNECTED: { text: "The connection was ended meanwhile.", concerns: "nobody" },
};

export const CONNECT_RESULT_DESCRIPTIONS: Readonly<Record<ConnectResultCode, CodeDescription>> = {
  SUPERSEDED: { text: "A newer attempt for the same connection took its place.", concerns: "nobody" },
  RECONNECT_TARGET_GONE: { text: "The connection it was for was ended meanwhile.", concerns: "nobody" },
  APPLICATION_DISABLED: { text: "The client was disabled.", concerns: "operator" },
  USER_DENIED: { text: "The person said no.", concerns: "nobody" },
  PROVIDER_ERROR: { text: "The provider sent the person back with an error.", concerns: "provider" },
  NO_CAPABILITY_GRANTED: { text: "The person granted nothing of what was asked for.", concerns: "nobody" },
  NOT_A_TESTER: { text: "The account is no tester of the client, and this is a sandbox.", concerns: "operator" },
  ACCOUNT_MISMATCH: { text: "The person consented with another account.", concerns: "person" },
  EXCHANGE_FAILED: { text: "The provider refused the exchange: look at the registration.", concerns: "operator" },
  PROVIDER_UNAVAILABLE: { text: "The provider did not answer.", concerns: "provider" },
  POLICY_CHANGED: { text: "Policy or registration was changed meanwhile.", concerns: "operator" },
  DEADLINE_PASSED: { text: "The person did not finish in ten minutes.", concerns: "nobody" },
};

const UNKNOWN: CodeDescription = { text: "The service has no word for it here.", concerns: "operator" };

/** A code that a newer service knows, and this page does not yet, is worth a look. */
export function describeJobError(code: string): CodeDescription {
  return (JOB_ERROR_DESCRIPTIONS as Readonly<Record<string, CodeDescription>>)[code] ?? UNKNOWN;
}

export function describeConnectResult(code: string): CodeDescription {
  return (CONNECT_RESULT_DESCRIPTIONS as Readonly<Record<string, CodeDescription>>)[code] ?? UNKNOWN;
}
