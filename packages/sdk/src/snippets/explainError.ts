// #region error-handler
import { SocialConnectError } from "@social-connect/sdk";

interface Shown {
  status: number;
  text: string;
  button?: "reconnect" | "retry";
}

/** What a page shows for an error. */
export function explain(error: unknown): Shown {
  if (!SocialConnectError.is(error)) throw error;
  const { code, retryAfterSeconds = 60, correlationId } = error;
  switch (code) {
    case "NOT_FOUND":
      return { status: 404, text: "This account is not linked." };
    case "RECONNECT_REQUIRED":
      return { status: 409, text: "Please connect this account again.", button: "reconnect" };
    case "AUTHORIZATION_SUSPENDED":
    case "DISCONNECT_IN_PROGRESS":
      return { status: 409, text: "This account is paused. You do not have to do anything." };
    case "CAPABILITY_UNAVAILABLE":
      return { status: 409, text: "Your consent does not cover this." };
    case "RATE_LIMITED":
      return { status: 429, text: `Please try again in ${retryAfterSeconds} seconds.`, button: "retry" };
    case "UNAUTHENTICATED":
    case "FORBIDDEN":
    case "BAD_USER_INPUT":
    case "MISCONFIGURED":
    case "WRONG_ADDRESS":
      console.error(JSON.stringify(error)); // yours to correct: alert on it
      return { status: 500, text: `Sorry, that did not work. (${correlationId ?? code})` };
    default: // the network, a timeout, UPSTREAM_UNAVAILABLE, and codes of later versions
      console.warn(JSON.stringify(error));
      return { status: 503, text: "Please try again in a minute.", button: "retry" };
  }
}
// #endregion error-handler
