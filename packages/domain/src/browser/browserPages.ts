/** Pages and cookies of the browser side that the server and the mocks share. Their wording is this project's choice. */

/** An error page for the user: what happened, and what to do. Has no internal details. */
export interface BrowserErrorPage {
  readonly status: 400 | 403 | 404 | 410 | 429 | 502 | 503;
  readonly title: string;
  readonly happened: string;
  readonly whatToDo: string;
  /** Back to the application, if its URL is known and still allowed. */
  readonly returnUrl?: string;
}

const START_AGAIN = "Go back to the application you came from and start again.";

export const BROWSER_ERROR_PAGES = {
  tokenSpent: {
    status: 410,
    title: "This link has already been used",
    happened: "Each link to connect an account works once. This one was used before or was never valid.",
    whatToDo: START_AGAIN,
  },
  expired: {
    status: 410,
    title: "That took too long",
    happened: "The time to connect the account has run out, so nothing was connected.",
    whatToDo: START_AGAIN,
  },
  foreignOrigin: {
    status: 403,
    title: "This page cannot start the connection",
    happened: "The request came from {origin}, which the application has not registered.",
    whatToDo: START_AGAIN,
  },
  missingOrigin: {
    status: 403,
    title: "This page cannot start the connection",
    happened:
      "The browser did not say which site the request came from. A page with the referrer policy “no-referrer” causes this; its developer should set “strict-origin”.",
    whatToDo: START_AGAIN,
  },
  malformedForm: {
    status: 400,
    title: "This page cannot start the connection",
    happened: "The application's form contains a field that is not accepted here, so nothing was connected.",
    whatToDo: START_AGAIN,
  },
  unavailable: {
    status: 403,
    title: "Connecting is not possible right now",
    happened: "The application cannot connect accounts at this provider now.",
    whatToDo: "Go back to the application and try again later.",
  },
  returnUrlRemoved: {
    status: 410,
    title: "The application's page is no longer available",
    happened: "The page that you would go back to was removed from the application while you were away.",
    whatToDo: START_AGAIN,
  },
  foreignBrowser: {
    status: 403,
    title: "Please use the browser you started in",
    happened: "This connection was started in another browser, so it cannot be finished here. Nothing was connected.",
    whatToDo: "Go back to the browser in which you started, or start again here.",
  },
  unknownState: {
    status: 400,
    title: "We do not know this connection",
    happened: "The address does not belong to a connection in progress.",
    whatToDo: START_AGAIN,
  },
  stateUsed: {
    status: 410,
    title: "This step is already done",
    happened: "The provider's answer was received before, so there is nothing left to do here.",
    whatToDo: "Go back to the application to see how it ended.",
  },
  providerError: {
    status: 400,
    title: "The provider's answer was not valid",
    happened: "The provider returned a response that cannot be accepted, so nothing was connected.",
    whatToDo: START_AGAIN,
  },
  unexpected: {
    status: 503,
    title: "Something went wrong on our side",
    happened: "The step could not be finished.",
    whatToDo: "Go back to the application and try again in a minute.",
  },
  notFound: {
    status: 404,
    title: "There is nothing here",
    happened: "The address does not exist.",
    whatToDo: "Check the address, or go back to the application you came from.",
  },
} as const satisfies Record<string, BrowserErrorPage>;

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
