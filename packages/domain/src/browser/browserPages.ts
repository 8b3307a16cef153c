import english from "../languages/en.json" with { type: "json" };

/** Pages and cookies of the browser side that the server and the mocks share. Their wording is this project's choice. */

/** An error page for the user: what happened, and what to do. Has no internal details. */
export interface BrowserErrorPage {
  readonly status: 400 | 403 | 404 | 405 | 410 | 429 | 502 | 503;
  readonly title: string;
  readonly happened: string;
  readonly whatToDo: string;
  /** Back to the application, if its URL is known and still allowed. */
  readonly returnUrl?: string;
}

const { errors } = english;

export const BROWSER_ERROR_PAGES = {
  tokenSpent: { status: 410, ...errors.tokenSpent },
  expired: { status: 410, ...errors.expired },
  foreignOrigin: { status: 403, ...errors.foreignOrigin },
  missingOrigin: { status: 403, ...errors.missingOrigin },
  malformedForm: { status: 400, ...errors.malformedForm },
  unavailable: { status: 403, ...errors.unavailable },
  returnUrlRemoved: { status: 410, ...errors.returnUrlRemoved },
  foreignBrowser: { status: 403, ...errors.foreignBrowser },
  unknownState: { status: 400, ...errors.unknownState },
  stateUsed: { status: 410, ...errors.stateUsed },
  providerError: { status: 400, ...errors.providerError },
  providerUnavailable: { status: 503, ...errors.providerUnavailable },
  unexpected: { status: 503, ...errors.unexpected },
  notFound: { status: 404, ...errors.notFound },
} as const satisfies Record<keyof typeof errors, BrowserErrorPage>;

/** The longest origin that a page names: only a program sends a longer one. */
const MOST_ORIGIN_LENGTH = 300;

/** An Origin header as a page names it. To be escaped. */
export function shownOrigin(origin: string | null): string {
  return (origin ?? "").slice(0, MOST_ORIGIN_LENGTH);
}

/** Connect, its consent pane, the identity handoff, or an admin's sign-in to the panel. */
export type BrowserAttemptKind = "connect" | "pane" | "identity" | "panel";

/**
 * The name of the cookie that binds an attempt to the browser of its launch. Each attempt has its own, so that two tabs can
 * connect concurrently. Over https it has the prefix that restricts it to the host (RFC 6265bis 4.1.3.2).
 */
export function browserCookieName(kind: BrowserAttemptKind, attemptId: string, secure: boolean): string {
  return `${secure ? "__Host-" : ""}social-connect-${kind}-${attemptId}`;
}
