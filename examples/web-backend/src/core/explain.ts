import { type SettledConnectResult, SocialConnectError, type SyncJob } from "@social-connect/sdk";

/** The text of a page for an error, written for users. */
export interface Explanation {
  readonly title: string;
  readonly text: string;
  readonly status: 400 | 403 | 404 | 409 | 429 | 502 | 503;
}

type Texts = Readonly<Record<string, string>>;

const BY_CODE: Readonly<Record<string, readonly [Explanation["status"], title: string, text: string]>> = {
  NOT_FOUND: [404, "Not available", "This account or post is not linked, or has been erased."],
  FORBIDDEN: [403, "Not possible right now", "An earlier disconnect is still settling. Try again in a few minutes."],
  RECONNECT_REQUIRED: [409, "This account needs you", "The consent you gave has ended. Connect the account again."],
  AUTHORIZATION_SUSPENDED: [409, "Paused for now", "Access to this provider is paused. Try again later."],
  CAPABILITY_UNAVAILABLE: [409, "Not part of your consent", "This account was connected without that permission."],
  DISCONNECT_IN_PROGRESS: [409, "Just being disconnected", "Connect this account again when that is done."],
  SYNC_WINDOW_BUSY: [409, "Already reading", "Posts of another time range are being read. Try again after that."],
  BAD_USER_INPUT: [400, "That did not work", "The service did not accept this input."],
};
const NO_ANSWER = "It could not be reached, or could not complete the request. Try again in a minute.";

/** Uses only the code and the retry time of an error: the rest is for logs. */
export function explainError(error: unknown): Explanation {
  if (!SocialConnectError.is(error))
    return { title: "Something went wrong", text: "The page could not be made. Try again.", status: 502 };
  if (error.code === "RATE_LIMITED") {
    const text = `There are too many unfinished tries. Try again ${inWords(error.retryAfterSeconds)}.`;
    return { title: "Too many requests", text, status: 429 };
  }
  const [status, title, text] = BY_CODE[error.code] ?? [503, "The service does not answer", NO_ANSWER];
  return { title, text, status };
}

function inWords(seconds: number | undefined): string {
  if (seconds === undefined) return "later";
  return seconds < 90 ? `in ${seconds} seconds` : `in about ${Math.ceil(seconds / 60)} minutes`;
}

const OUTAGES: Texts = {
  UPSTREAM_UNAVAILABLE: "Social Connect does not answer right now.",
  // An admin disabled this application, or its key was revoked.
  FORBIDDEN: "Social Connect does not accept requests of this application right now.",
  UNAUTHENTICATED: "Social Connect does not accept requests of this application right now.",
  RATE_LIMITED: "Social Connect asks this application to slow down.",
};

/** For reads: says nothing about the user's accounts. Undefined for an error that does. */
export function explainOutage({ kind, code }: SocialConnectError): string | undefined {
  return OUTAGES[["transport", "timeout", "protocol"].includes(kind) ? "UPSTREAM_UNAVAILABLE" : code];
}

const RESULT_CODES: Texts = {
  USER_DENIED: "You chose not to give access. Nothing was linked.",
  NO_CAPABILITY_GRANTED: "None of the requested permissions was given, so there is nothing to link.",
  NOT_A_TESTER: "In the sandbox only tester accounts can be linked, and this account is not one.",
  ACCOUNT_MISMATCH: "You signed in with another account than the one to be connected again.",
  PROVIDER_ERROR: "The provider ended this with an error, so nothing was linked. Try again in a few minutes.",
  PROVIDER_UNAVAILABLE:
    "The provider is down right now. Nothing was lost: accounts that are linked stay linked. Try again in a few minutes.",
  SUPERSEDED: "A newer try for the same account has taken the place of this one.",
  DEADLINE_PASSED: "The ten minutes for this try have passed.",
};

export function explainConnectResult({ resultCode, creatorAction }: SettledConnectResult): string {
  const text = RESULT_CODES[resultCode ?? ""] ?? "The account could not be linked.";
  return creatorAction === "REMOVE_APP_AT_PROVIDER"
    ? `${text} The provider still lists this application: remove it in the provider's settings.`
    : text;
}

const JOB_CODES: Texts = {
  UPSTREAM_RATE_LIMITED: "The provider asks to slow down. Try again later.",
  UPSTREAM_UNAVAILABLE: "The provider did not answer.",
  RECONNECT_REQUIRED: "The provider no longer accepts the consent. Connect the account again.",
  REVOKE_REJECTED: "The provider did not accept the revocation.",
  REVOKE_UNSUPPORTED: "This provider offers no way to give a consent back from here.",
};

export function explainJob({ errorCode }: SyncJob): string {
  return JOB_CODES[errorCode ?? ""] ?? "It did not work this time.";
}

const INCOMPLETE: Texts = {
  NOT_SCANNED: "This time span has not been read from the provider yet.",
  SCAN_RUNNING: "Posts are being read from the provider right now.",
  SCAN_FAILED: "The last reading failed.",
  SCAN_STALE: "The last reading is more than a day old.",
  CONTENT_EXPIRED: "Some posts were last seen more than 30 days ago and are not shown.",
  MAX_ITEMS_REACHED: "There are more posts than one reading covers.",
  UPSTREAM_RATE_LIMITED: "The provider asked to slow down before everything was read.",
};

export function explainIncomplete(reason: string | null): string {
  return INCOMPLETE[reason ?? ""] ?? "Not every post of this time span is known yet.";
}
