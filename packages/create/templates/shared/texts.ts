import type { Connection, ContentPage, SocialConnectError } from "@social-connect/sdk";

/** What users read in place of the service's values. Adapt it to your product and its languages. */
const PROVIDERS: Readonly<Record<string, string>> = {
  PROVIDER_A: "YouTube",
  PROVIDER_B: "TikTok",
  PROVIDER_C: "Instagram",
};

const RESULTS: Readonly<Record<string, string>> = {
  USER_DENIED: "You did not give access.",
  NO_CAPABILITY_GRANTED: "You gave none of the requested permissions.",
  NOT_A_TESTER: "Only test accounts can be linked here, and this account is not one.",
  ACCOUNT_MISMATCH: "You signed in with another account than the one to reconnect.",
  DEADLINE_PASSED: "The time for this has passed. Start again.",
};

const ERRORS: Readonly<Record<string, string>> = {
  NOT_FOUND: "This account is not linked.",
  FORBIDDEN: "This is not possible now. After a disconnect, wait a few minutes before you link an account there again.",
  RECONNECT_REQUIRED: "This account needs your consent again. Press Reconnect on the first page.",
  AUTHORIZATION_SUSPENDED: "Access to this account is paused. Try again later.",
  CAPABILITY_UNAVAILABLE: "You did not give the permission that this needs. Disconnect the account and link it again.",
  RATE_LIMITED: "There were too many attempts.",
  SYNC_WINDOW_BUSY: "The posts of this account are being read. Try again in a minute.",
};

export const REMOVE_APP =
  "Also remove this application in the settings of your account there, which may still list it.";

export function providerName(provider: string): string {
  return PROVIDERS[provider] ?? provider;
}

export function accountName({ profile, providerAccountId }: Connection): string {
  return profile?.displayName ?? providerAccountId;
}

/** Whether the account is linked. A disconnected one stays on the list until the service has erased it. */
export function isLinked({ status }: Connection): boolean {
  return status !== "DISCONNECTED" && status !== "DELETING";
}

/** The status of a linked account that cannot be read now. `since` is the day of the event that said so. */
export function statusText({ status }: Connection, since: string | undefined): string {
  if (status !== "RECONNECT_REQUIRED") return "paused";
  return since === undefined ? "needs your consent again" : `needs your consent again since ${since}`;
}

/** Why an attempt linked nothing. */
export function resultText({ resultCode, creatorAction }: { resultCode: string | null; creatorAction: string | null }) {
  const text = RESULTS[resultCode ?? ""] ?? "The account could not be linked. Try again in a few minutes.";
  return creatorAction === null ? text : `${text} ${REMOVE_APP}`;
}

/** Whether the service is reading the posts, so that the page changes soon. */
export function isReading({ syncStatus }: Connection, { pageInfo }: ContentPage): boolean {
  return syncStatus === "PENDING" || syncStatus === "RUNNING" || pageInfo.incompleteReason === "SCAN_RUNNING";
}

/** What is missing on a page of posts; null for a page with every post of its days. */
export function missingText({ completeForWindow, incompleteReason }: ContentPage["pageInfo"]): string | null {
  if (completeForWindow) return null;
  if (incompleteReason === "SCAN_FAILED") return "Some posts could not be read. They are read again later.";
  return "Some posts may be missing. Refresh reads them.";
}

/** A metric that the provider does not report is missing, not 0. */
export function metricText({ name, value }: { readonly name: string; readonly value: string | null }): string {
  return `${name.toLowerCase()} ${value ?? "not reported"}`;
}

/** The message of an error is for your log. */
export function errorText({ code, retryAfterSeconds }: SocialConnectError): string {
  const text = ERRORS[code] ?? "The service does not respond as expected. Try again later.";
  if (retryAfterSeconds === undefined) return text;
  const minutes = Math.ceil(retryAfterSeconds / 60);
  return `${text} Try again in ${minutes === 1 ? "a minute" : `${minutes} minutes`}.`;
}
